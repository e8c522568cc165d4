import type { Response, Router } from 'express';
import { HttpError } from '../../http/http-error.ts';
import { neverStored } from '../../http/never-stored.ts';
import { exactRouter, refusingOthers } from '../../http/router.ts';
import { referrer, sendDocument } from '../../http/send-document.ts';
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

  router
    .route('/take/:token')
    .all(neverStored)
    .get(async (_req, res) => {
      const { number } = requireLeadLink(res);
      show(res, await leads.find(number), false);
    })
    .post(async (_req, res) => {
      const { number, channel } = requireLeadLink(res);
      // The page says who took it, this person or an earlier one.
      const taken = await leads.take(number, channel);
      res.set('Cache-Control', cacheFor.history);
      show(res, taken?.lead, true);
    });

  function show(res: Response, lead: Lead | undefined, pressed: boolean): void {
    if (lead === undefined) throw gone;
    sendDocument(res, render(takeView({ lead, content, siteUrl, pressed })), referrer.none);
  }

  return refusingOthers(router);
}

function requireLeadLink({ locals: { link } }: Response): { number: number; channel: string } {
  if (!link?.lead) throw gone;
  return { number: link.lead, channel: link.name };
}

const gone = new HttpError(404, 'The link has ended', {
  fatal: true,
  explanation: 'Ссылка больше не действует: прошло больше четырёх дней, её отозвали или заявку удалили.',
});
