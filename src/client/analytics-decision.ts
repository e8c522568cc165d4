/** In localStorage. */
export const decisionKey = 'analytics';
export const allowed = 'allowed';
