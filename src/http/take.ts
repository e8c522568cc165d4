import { type RequestHandler, Router } from 'express';
import { cacheFor } from '../edition/resource.ts';
import { calculationLines, facts, messageLines } from '../leads/channels/wording.ts';
import type { Desk } from '../leads/desk.ts';
import type { Lead, LeadStore } from '../leads/lead.ts';
import type { TakeRight } from '../leads/take-link.ts';
import { takeView } from '../pages/take.tsx';
import { presetTitle } from '../site/preset-title.ts';
import { HttpError } from './http-error.ts';
import { methodNotAllowed } from './method-not-allowed.ts';
import { type Site, sendDocument } from './site.ts';

type Options = { site: Site; leads: LeadStore; rightOf: Desk['rightOf']; siteUrl: string; limit: RequestHandler };

/**
 * `/take/{token}`: the page behind the link of a notification. GET shows the lead, so
 * that programs that look into links take nothing; POST takes it.
 */
export function take({ site, leads, rightOf, siteUrl, limit }: Options): Router {
  const { content, render } = site;
  const { name, workingHours } = content.company;
  const place = { name, url: siteUrl, timeZone: workingHours.timeZone };
  const router = Router({ caseSensitive: true, strict: true });

  function right(token: string): TakeRight {
    const read = rightOf(token);
    if (read === undefined) throw gone;
    return read;
  }

  const takenBy = ({ takenAt, takenBy }: Lead) => {
    if (takenAt === null) return undefined;
    const at = new Intl.DateTimeFormat('ru-RU', {
      timeZone: workingHours.timeZone,
      day: 'numeric',
      month: 'long',
      hour: '2-digit',
      minute: '2-digit',
    }).format(new Date(takenAt));
    return `Заявку взяли ${at} (${takenBy}).`;
  };

  router
    .route('/take/:token')
    .all(limit, (_req, res, next) => {
      res.set('Cache-Control', cacheFor.never);
      next();
    })
    .get(async (req, res) => {
      const { number } = right(req.params.token);
      const lead = await leads.find(number);
      if (lead === undefined) throw gone;
      const view = takeView({
        number,
        presetTitle: presetTitle(content, lead.preset),
        facts: facts({ lead }, place),
        message: messageLines({ lead }),
        calculation: calculationLines({ lead }),
        taken: takenBy(lead),
      });
      // The address is the key: no page that is opened from here may learn it.
      sendDocument(res, render(view), { 'Referrer-Policy': 'no-referrer' });
    })
    .post(async (req, res) => {
      const { number, channel } = right(req.params.token);
      if ((await leads.take(number, channel)) === undefined) throw gone;
      // The page says who has it, whoever was first.
      res.redirect(303, req.originalUrl);
    })
    .all(methodNotAllowed('GET, HEAD, POST'));

  return router;
}

const gone = new HttpError(
  404,
  'Ссылка больше не действует: прошло больше четырёх дней, её отозвали или заявку удалили.',
  {
    fatal: true,
  },
);
