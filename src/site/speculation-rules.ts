/** With all below them. Their answers hold for one visitor, or for a moment. */
const neverAhead = ['/contact', '/broadcast', '/take', '/desk', '/admin'];

const where = {
  and: [
    { href_matches: { pathname: '/*', search: '' } },
    { not: { href_matches: [...neverAhead.map((path) => `${path}{/*}?`), '/*.*'] } },
  ],
};

/** Pages without a query are fetched on hover, and rendered on a press. Their scripts wait until they are shown. */
export const speculationRules = JSON.stringify({
  prefetch: [{ where, eagerness: 'moderate' }],
  prerender: [{ where, eagerness: 'conservative' }],
});
