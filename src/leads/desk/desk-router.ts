import { type RequestHandler, type Router, urlencoded } from 'express';
import { originOf } from '../../http/form.ts';
import { HttpError } from '../../http/http-error.ts';
import { neverStored } from '../../http/never-stored.ts';
import { exactRouter } from '../../http/router.ts';
import { referrer } from '../../http/send-document.ts';
import { broadcastDesk } from './desk-broadcast.ts';
import { exportDesk } from './desk-export.ts';
import { leadDesk } from './desk-lead.ts';
import { listsDesk } from './desk-lists.ts';
import { type DeskOptions, sessionDesk } from './desk-session.ts';
import { todayDesk } from './desk-today.ts';

/** Long notes get advice to shorten them; larger bodies were not typed. */
const maxFormSize = '64kb';

/** GET changes nothing. */
export function deskRouter(options: DeskOptions): Router {
  const router = exactRouter();
  router.use('/desk', neverStored, (_req, res, next) => {
    res.set({ 'X-Robots-Tag': 'noindex', ...referrer.none });
    next();
  });
  router.use('/desk', ownForms(options.siteUrl));
  router.use(sessionDesk(options));
  router.use('/desk', urlencoded({ extended: false, inflate: false, limit: maxFormSize }));
  router.use(todayDesk(options));
  router.use(listsDesk(options));
  router.use(leadDesk(options));
  router.use(broadcastDesk(options));
  router.use(exportDesk(options));
  return router;
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
