import type { Router } from 'express';
import type { Logger } from 'pino';
import { cacheFor } from '../lib/cache-for.ts';
import { outage } from '../lib/outage.ts';
import { exactRouter, refusingOthers } from './router.ts';

/** A check writes to the store, and anyone may request it. */
const checkValidMs = 1000;

/** `/healthz`: alive. `/readyz`: able to store leads, and not draining. */
export function health(leads: { probe(): Promise<void> }, draining: () => boolean, logger: Logger): Router {
  const router = exactRouter();
  const { failed, over } = outage((error) => {
    if (error) logger.error({ err: error }, 'not ready: leads cannot be stored');
    else logger.info('ready again: leads can be stored');
  });
  let checked: { at: number; result: Promise<void> } | undefined;
  const check = () => {
    if (checked === undefined || performance.now() - checked.at > checkValidMs) {
      checked = { at: performance.now(), result: leads.probe() };
    }
    return checked.result;
  };
  router.get('/healthz', (_req, res) => {
    res.set('Cache-Control', cacheFor.never).json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    res.set('Cache-Control', cacheFor.never);
    if (draining()) return void res.status(503).json({ status: 'draining' });
    try {
      await check();
      over();
      res.json({ status: 'ok' });
    } catch (error) {
      failed(error);
      res.status(503).json({ status: 'leads cannot be stored' });
    }
  });
  return refusingOthers(router);
}
