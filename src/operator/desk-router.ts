import { type RequestHandler, type Router, urlencoded } from 'express';
import { originOf } from '../http/form.ts';
import { HttpError } from '../http/http-error.ts';
import { exactRouter } from '../http/router.ts';
import { cacheFor } from '../lib/cache-for.ts';
import { broadcastDesk } from './desk-broadcast.ts';
import { exportDesk } from './desk-export.ts';
import { requestsDesk } from './desk-requests.ts';
import { type DeskOptions, sessionDesk, unreferred } from './desk-session.ts';

/** A note that is too long comes back with the advice to shorten it; what is larger was not typed. */
const largestForm = '64kb';

/** `/desk`: where staff work with leads in a browser, by a personal link. GET changes nothing. */
export function deskRouter(options: DeskOptions, limit: RequestHandler): Router {
  const router = exactRouter();
  router.use('/desk', limit, (_req, res, next) => {
    res.set({ 'Cache-Control': cacheFor.never, 'X-Robots-Tag': 'noindex', ...unreferred });
    next();
  });
  router.use('/desk', ownForms(options.siteUrl));
  router.use(sessionDesk(options));
  router.use('/desk', urlencoded({ extended: false, limit: largestForm }));
  router.use(requestsDesk(options));
  router.use(broadcastDesk(options));
  router.use(exportDesk(options));
  return router;
}

/** The cookie is `lax`, so it comes with forms of other sites of the same domain, too. */
function ownForms(siteUrl: string): RequestHandler {
  return (req, _res, next) => {
    const foreign = originOf(req, siteUrl) === 'foreign' || req.get('sec-fetch-site') === 'same-site';
    if (req.method !== 'POST' || !foreign) return next();
    const explanation = 'Ничего не изменилось: форму отправили не со страницы стола. Откройте стол и повторите.';
    next(new HttpError(403, 'Forbidden', { explanation }));
  };
}
