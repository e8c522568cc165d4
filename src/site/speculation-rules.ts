import { outdatedClass } from '../lib/outdated.ts';
import { routes } from '../routes.ts';

/** Prefetches pages without a query on hover, unless the build is outdated. Prerendering would count as a visit. */
export const speculationRules = JSON.stringify({
  prefetch: [
    {
      where: {
        and: [
          { href_matches: routes.map(({ path }) => path) },
          { not: { href_matches: '/*\\?(.+)' } },
          { not: { selector_matches: `.${outdatedClass} *` } },
        ],
      },
      eagerness: 'moderate',
    },
  ],
});
