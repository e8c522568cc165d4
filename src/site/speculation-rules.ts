import { reservedAddresses } from '../model/addresses.ts';

const where = {
  and: [
    { href_matches: { pathname: '/*', search: '' } },
    { not: { href_matches: [...reservedAddresses.map((path) => `${path}{/*}?`), '/*.*'] } },
  ],
};

/** Pages without a query are fetched on hover, and rendered on a press. Their scripts wait until they are shown. */
export const speculationRules = JSON.stringify({
  prefetch: [{ where, eagerness: 'moderate' }],
  prerender: [{ where, eagerness: 'conservative' }],
});
