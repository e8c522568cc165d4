import type { Router } from 'express';
import { dictionaryLink } from '../edition/dictionary.ts';
import type { Edition } from '../edition/open.ts';
import { cacheFor } from '../lib/cache-for.ts';
import { exactRouter, refusingOthers } from './router.ts';

/** Leads to the dictionary of the edition, so that no page has to name it and change with it. */
export function dictionaryRouter(edition: Edition): Router {
  const router = exactRouter();
  router.get(dictionaryLink, (_req, res) =>
    res.set('Cache-Control', cacheFor.hour).redirect(307, edition.dictionary.path),
  );
  return refusingOthers(router);
}
