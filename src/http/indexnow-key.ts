import type { Router } from 'express';
import { cacheFor } from '../lib/cache-for.ts';
import { exactRouter, refusingOthers } from './router.ts';

/**
 * `/{key}.txt`, by which search engines know that it is the site's owner who submits addresses. It is
 * the operator's and no part of an edition: a new key makes no page anew.
 *
 * @param key without it, there is no such file
 */
export function indexNowKey(key: string | undefined): Router {
  const router = exactRouter();
  if (key === undefined) return router;
  router.get(`/${key}.txt`, (_req, res) => {
    res.set('Cache-Control', cacheFor.hour).type('txt').send(key);
  });
  return refusingOthers(router);
}
