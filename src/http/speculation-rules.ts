import type { Router } from 'express';
import { speculationRulesPath } from '../document/document.tsx';
import { cacheFor } from '../lib/cache-for.ts';
import { outdatedClass } from '../lib/outdated.ts';
import { routes } from '../routes.ts';
import { exactRouter, refusingOthers } from './router.ts';

/** Prefetches pages without a query on hover, unless the build is outdated. Prerendering would count as a visit. */
const speculationRules = JSON.stringify({
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

export function speculationRulesRouter(): Router {
  const router = exactRouter();
  router.get(speculationRulesPath, (_req, res) => {
    res.set('Cache-Control', cacheFor.hour).type('application/speculationrules+json').send(speculationRules);
  });
  return refusingOthers(router);
}
