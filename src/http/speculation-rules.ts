import type { Router } from 'express';
import { speculationRulesPath } from '../document/document.tsx';
import { cacheFor } from '../lib/cache-for.ts';
import { outdatedClass } from '../lib/outdated.ts';
import { routes } from '../routes.ts';
import { exactRouter, refusingOthers } from './router.ts';

/**
 * Which links a browser may fetch before they are followed: those to pages of the
 * site, once the pointer rests on them. Pages with a query are rendered on demand and
 * stay out. Fetched only, never rendered: a page in waiting would count as a visit. A
 * document that knows of a newer build gives back what it has fetched, which is of its own.
 *
 * https://developer.mozilla.org/docs/Web/API/Speculation_Rules_API
 */
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

/** For visitors who pay for every byte, or wait for it. */
const noSpeculation = '{}';

/** Rules for fetching pages ahead; a visitor who saves data, or has a 2G network, gets none. */
export function speculationRulesRouter(): Router {
  const router = exactRouter();
  router.get(speculationRulesPath, (req, res) => {
    const frugal = req.get('save-data') === 'on' || /2g$/.test(req.get('ect') ?? '');
    res
      .set('Cache-Control', cacheFor.hour)
      .vary('Save-Data')
      .vary('ECT')
      .type('application/speculationrules+json')
      .send(frugal ? noSpeculation : speculationRules);
  });
  return refusingOthers(router);
}
