import type { RequestHandler, Router } from 'express';
import { HttpError } from '../http/http-error.ts';
import { exactRouter, refusingOthers } from '../http/router.ts';
import { sendDocument } from '../http/send-document.ts';
import type { Leads } from '../leads/store/leads.ts';
import type { Links } from '../leads/store/links.ts';
import { cacheFor } from '../lib/cache-for.ts';
import type { Site } from '../site/site.ts';
import { takeView } from './take.page.tsx';

type Options = { site: Site; leads: Leads; links: Links; siteUrl: string; limit: RequestHandler };

/** `/take/{token}`: linked from notifications. Only POST takes the lead, because mail scanners open links. */
export function takeRouter({ site: { content, render }, leads, links, siteUrl, limit }: Options): Router {
  const router = exactRouter();

  async function linkOf(token: string): Promise<{ number: number; channel: string }> {
    const link = await links.find(token);
    if (link === undefined || link.lead === null) throw gone;
    return { number: link.lead, channel: link.name };
  }

  router
    .route('/take/:token')
    .all(limit, (_req, res, next) => {
      res.set('Cache-Control', cacheFor.never);
      next();
    })
    .get(async (req, res) => {
      const { number } = await linkOf(req.params.token);
      const lead = await leads.find(number);
      if (lead === undefined) throw gone;
      // Keeps the secret address from pages opened here.
      sendDocument(res, render(takeView({ lead, content, siteUrl })), { 'Referrer-Policy': 'no-referrer' });
    })
    .post(async (req, res) => {
      const { number, channel } = await linkOf(req.params.token);
      if ((await leads.take(number, channel)) === undefined) throw gone;
      // The page says who took it, this person or an earlier one.
      res.redirect(303, req.originalUrl);
    });

  return refusingOthers(router);
}

const gone = new HttpError(404, 'The link has ended', {
  fatal: true,
  explanation: 'Ссылка больше не действует: прошло больше четырёх дней, её отозвали или заявку удалили.',
});
