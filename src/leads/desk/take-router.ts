import type { Response, Router } from 'express';
import { HttpError } from '../../http/http-error.ts';
import { exactRouter, refusingOthers } from '../../http/router.ts';
import { sendDocument } from '../../http/send-document.ts';
import { cacheFor } from '../../lib/cache-for.ts';
import type { Site } from '../../site/site.ts';
import type { Lead } from '../store/lead.ts';
import type { Leads } from '../store/leads.ts';
import { takeView } from './take.page.tsx';

type Options = { site: Site; leads: Leads; siteUrl: string };

/**
 * `/take/{token}`: linked from notifications. Only POST takes the lead and shows whom to call, because mail scanners
 * and previews open links.
 */
export function takeRouter({ site: { content, render }, leads, siteUrl }: Options): Router {
  const router = exactRouter();

  function linkOf({ locals: { link } }: Response): { number: number; channel: string } {
    if (!link?.lead) throw gone;
    return { number: link.lead, channel: link.name };
  }

  function show(res: Response, lead: Lead | undefined, pressed: boolean): void {
    if (lead === undefined) throw gone;
    // Keeps the secret address from pages opened here.
    sendDocument(res, render(takeView({ lead, content, siteUrl, pressed })), { 'Referrer-Policy': 'no-referrer' });
  }

  router
    .route('/take/:token')
    .all((_req, res, next) => {
      res.set('Cache-Control', cacheFor.never);
      next();
    })
    .get(async (_req, res) => {
      const { number } = linkOf(res);
      show(res, await leads.find(number), false);
    })
    .post(async (_req, res) => {
      const { number, channel } = linkOf(res);
      // The page says who took it, this person or an earlier one.
      const taken = await leads.take(number, channel);
      // On Back, Chromium shows an error for a POST response with `no-store`.
      res.set('Cache-Control', cacheFor.history);
      show(res, taken?.lead, true);
    });

  return refusingOthers(router);
}

const gone = new HttpError(404, 'The link has ended', {
  fatal: true,
  explanation: 'Ссылка больше не действует: прошло больше четырёх дней, её отозвали или заявку удалили.',
});
