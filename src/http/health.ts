import { Router } from 'express';
import { cacheFor } from '../edition/resource.ts';
import type { LeadStore } from '../leads/lead.ts';
import { methodNotAllowed } from './method-not-allowed.ts';

/**
 * `/healthz`: the process is alive. `/readyz`: it can serve pages and store leads,
 * and is not about to stop.
 */
export function health(leads: LeadStore, draining: () => boolean): Router {
  const router = Router();
  router
    .route('/healthz')
    .get((_req, res) => {
      res.set('Cache-Control', cacheFor.never).json({ status: 'ok' });
    })
    .all(methodNotAllowed('GET, HEAD'));
  router
    .route('/readyz')
    .get(async (_req, res) => {
      res.set('Cache-Control', cacheFor.never);
      if (draining()) return void res.status(503).json({ status: 'draining' });
      try {
        await leads.check();
        res.json({ status: 'ok' });
      } catch {
        res.status(503).json({ status: 'leads cannot be stored' });
      }
    })
    .all(methodNotAllowed('GET, HEAD'));
  return router;
}
