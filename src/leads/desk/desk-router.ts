import type { RequestHandler, Router } from 'express';
import { originOf, readForm } from '../../http/form.ts';
import { HttpError } from '../../http/http-error.ts';
import { neverStored } from '../../http/never-stored.ts';
import { exactRouter, refusingOthers } from '../../http/router.ts';
import { referrer } from '../../http/send-document.ts';
import { serveBroadcast } from './desk-broadcast.ts';
import { serveExport } from './desk-export.ts';
import { serveLead } from './desk-lead.ts';
import { serveLists } from './desk-lists.ts';
import { type DeskOptions, requireSession } from './desk-session.ts';

/** GET changes nothing. */
export function deskRouter(options: DeskOptions): Router {
  const router = exactRouter();
  router.use('/desk', neverStored, (_req, res, next) => {
    res.set({ 'X-Robots-Tag': 'noindex', ...referrer.none });
    next();
  });
  router.use('/desk', ownForms(options.siteUrl));
  requireSession(router, options);
  router.use('/desk', ...readForm);
  serveLists(router, options);
  serveLead(router, options);
  serveBroadcast(router, options);
  serveExport(router, options);
  return refusingOthers(router);
}

/** A `lax` cookie also comes with forms from other hosts of the domain. */
function ownForms(siteUrl: string): RequestHandler {
  return (req, _res, next) => {
    const foreign = originOf(req, siteUrl) === 'foreign' || req.get('sec-fetch-site') === 'same-site';
    if (req.method !== 'POST' || !foreign) return next();
    const explanation = 'Ничего не изменилось: форму отправили не со страницы стола. Откройте стол и повторите.';
    next(new HttpError(403, 'Forbidden', { explanation }));
  };
}
