import { randomUUID } from 'node:crypto';
import type { Request, Response, Router } from 'express';
import { invalidPath } from '../../http/http-error.ts';
import { exactRouter, refusingOthers } from '../../http/router.ts';
import { characters, isVisible, tidyText } from '../../lib/tidy.ts';
import type { Lead } from '../store/lead.ts';
import { deskLeadView, type NoteDraft } from './desk-lead.page.tsx';
import { type DeskOptions, requireNumber, sendDeskPage } from './desk-session.ts';
import { leadName } from './lead-sheet.tsx';

const maxNoteLength = 1_000;

/** Longer than a UUID; the key is stored with the note. */
const maxKeyLength = 64;

/** `/desk/leads/{number}`: one lead, and what staff do with it. */
export function leadDesk(options: DeskOptions): Router {
  const { leads, release } = options;
  const router = exactRouter();

  router.route('/desk/leads/:number').get(async (req, res) => {
    await showLead(res, await findLead(req, options), { key: randomUUID(), text: '' }, options);
  });

  router.route('/desk/leads/:number/take').post(async (req, res) => {
    const { number: lead } = await findLead(req, options);
    const by = res.locals.desk.name;
    // The page names the first person who took the lead.
    const outcome = await leads.take(lead, `desk:${by}`);
    if (outcome?.first) res.locals.log.info({ lead, by }, 'lead taken');
    res.redirect(303, leadPath(lead));
  });

  router.route('/desk/leads/:number/release').post(async (req, res) => {
    const { number: lead } = await findLead(req, options);
    if (await release(lead)) res.locals.log.info({ lead, by: res.locals.desk.name }, 'lead released');
    res.redirect(303, leadPath(lead));
  });

  router.route('/desk/leads/:number/notes').post(async (req, res) => {
    const lead = await findLead(req, options);
    const by = res.locals.desk.name;
    const key = String(req.body?.key || randomUUID()).slice(0, maxKeyLength);
    const note = { key, text: tidyText(String(req.body?.text ?? '')) };
    const error = findNoteError(note.text) ?? ((await leads.note(lead.number, { ...note, by })) ? undefined : tooLate);
    if (error) return showLead(res.status(422), lead, { ...note, error }, options);
    res.locals.log.info({ lead: lead.number, by }, 'note written');
    res.redirect(303, leadPath(lead.number));
  });

  return refusingOthers(router);
}

const tooLate = 'Заявку уже удалили по сроку, записать к ней нельзя ничего';

async function findLead(req: Request, { leads }: DeskOptions): Promise<Lead> {
  const number = requireNumber(req, req.params.number);
  const lead = number === undefined ? undefined : await leads.find(number);
  if (lead === undefined) throw invalidPath(req.originalUrl);
  return lead;
}

async function showLead(
  res: Response,
  lead: Lead,
  note: NoteDraft,
  { site, deliveries, siteUrl }: DeskOptions,
): Promise<void> {
  const view = deskLeadView({
    desk: res.locals.desk,
    path: leadPath(lead.number),
    heading: leadName(lead),
    wrong: note.error !== undefined,
    lead,
    deliveries: await deliveries.of(lead.number),
    note,
    content: site.content,
    siteUrl,
    now: new Date(),
  });
  sendDeskPage(res, site, view);
}

function leadPath(number: number): string {
  return `/desk/leads/${number}`;
}

function findNoteError(text: string): string | undefined {
  if (!isVisible(text)) return 'Напишите, что записать';
  if (characters(text) > maxNoteLength) return `Сократите заметку: в ней больше ${maxNoteLength} знаков`;
  return undefined;
}
