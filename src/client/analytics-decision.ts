/** Name in the browser's storage of what a visitor has decided about the counter, and what stands there if they allow it. */
export const decisionKey = 'analytics';
export const allowed = 'allowed';
