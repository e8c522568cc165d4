import { Router } from 'express';
import { noSpeculation, speculationRules, speculationRulesPath } from '../document/speculation-rules.ts';
import { cacheFor } from '../edition/resource.ts';
import { methodNotAllowed } from './method-not-allowed.ts';

/** Rules for fetching pages ahead; a visitor who saves data, or has a 2G network, gets none. */
export function speculationRulesRouter(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(speculationRulesPath)
    .get((req, res) => {
      const frugal = req.get('save-data') === 'on' || /2g$/.test(req.get('ect') ?? '');
      res
        .set('Cache-Control', cacheFor.hour)
        .vary('Save-Data')
        .vary('ECT')
        .type('application/speculationrules+json')
        .send(frugal ? noSpeculation : speculationRules);
    })
    .all(methodNotAllowed('GET, HEAD'));
  return router;
}
