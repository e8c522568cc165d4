import { reservedAddresses } from '../model/addresses.ts';

/** Prefetches pages without a query on hover. Prerendering would count as a visit. */
export const speculationRules = JSON.stringify({
  prefetch: [
    {
      where: {
        and: [
          { href_matches: { pathname: '/*', search: '' } },
          { not: { href_matches: [...reservedAddresses.map((path) => `${path}{/*}?`), '/*.*'] } },
        ],
      },
      eagerness: 'moderate',
    },
  ],
});
