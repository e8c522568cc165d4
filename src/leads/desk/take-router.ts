import type { RequestHandler, Response, Router } from 'express';
import { fieldsOf, readForm } from '../../http/form.ts';
import { HttpError } from '../../http/http-error.ts';
import { neverStored } from '../../http/never-stored.ts';
import { exactRouter, refusingOthers } from '../../http/router.ts';
import { referrer, sendDocument } from '../../http/send-document.ts';
import { cacheFor } from '../../lib/cache-for.ts';
import type { Site } from '../../site/site.ts';
import type { LeadIntake } from '../intake/lead-intake.ts';
import type { Lead } from '../store/lead.ts';
import type { Leads } from '../store/leads.ts';
import { type ActionDraft, blankDraft, readAction } from './lead-actions.tsx';
import { takeView } from './take.page.tsx';

type Options = { site: Site; leads: Leads; act: LeadIntake['act']; siteUrl: string };

/**
 * `/take/{token}`: linked from notifications. Only POST takes the lead and shows whom to call, because mail scanners
 * and previews open links.
 */
export function takeRouter({ site: { content, render }, leads, act, siteUrl }: Options): Router {
  const router = exactRouter();

  router
    .route('/take/:token')
    .all(neverStored)
    .get(async (_req, res) => {
      const { number } = requireLeadLink(res);
      show(res, await leads.find(number), { pressed: false });
    })
    .post(onlyByLink, ...readForm, async (req, res) => {
      const { number, channel } = requireLeadLink(res);
      const action = readAction(fieldsOf(req), new Date(), content.company.workingHours);
      res.set('Cache-Control', cacheFor.history);
      if (action && 'draft' in action) {
        return show(res.status(422), await leads.find(number), { pressed: true, draft: action.draft });
      }
      if (action) {
        const { callAt, ...event } = action;
        await act(number, { ...event, by: channel }, callAt);
      }
      // The page says who took it, this person or an earlier one.
      show(res, await leads.find(number), { pressed: true });
    });

  type Shown = { pressed: boolean; draft?: ActionDraft };

  function show(res: Response, lead: Lead | undefined, { pressed, draft = blankDraft() }: Shown): void {
    if (lead === undefined) throw gone;
    sendDocument(res, render(takeView({ lead, content, siteUrl, draft, pressed, now: new Date() })), referrer.none);
  }

  return refusingOthers(router);
}

/** Before the form is read. */
const onlyByLink: RequestHandler = (_req, res, next) => {
  requireLeadLink(res);
  next();
};

function requireLeadLink({ locals: { link } }: Response): { number: number; channel: string } {
  if (!link?.lead) throw gone;
  return { number: link.lead, channel: link.name };
}

const gone = new HttpError(404, 'The link has ended', {
  fatal: true,
  explanation: 'Ссылка больше не действует: прошло больше четырёх дней, её отозвали или заявку удалили.',
});
