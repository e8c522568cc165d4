import { randomUUID } from 'node:crypto';
import type { Request, Response, Router } from 'express';
import { fieldsOf } from '../../http/form.ts';
import { HttpError, invalidPath } from '../../http/http-error.ts';
import { parseNumber } from '../../lib/parse-number.ts';
import { characters, isVisible, tidyText } from '../../lib/tidy.ts';
import type { Lead } from '../store/lead.ts';
import { deskLeadView, type NoteDraft } from './desk-lead.page.tsx';
import { type DeskOptions, sendDeskPage } from './desk-session.ts';
import { type ActionDraft, blankDraft, keyIn, readAction } from './lead-actions.tsx';
import { leadName } from './lead-sheet.tsx';

const maxNoteLength = 1_000;

/** `/desk/leads/{number}`: one lead, and what staff do with it. */
export function serveLead(router: Router, options: DeskOptions): void {
  const { site, intake } = options;
  const { workingHours } = site.content.company;

  router
    .route('/desk/leads/:number')
    .get(async (req, res) => {
      await showLead(res, await findLead(req, options), options);
    })
    .post(async (req, res) => {
      const lead = await findLead(req, options);
      const action = readAction(fieldsOf(req), new Date(), workingHours);
      if (action === undefined) throw new HttpError(422, 'Unprocessable Content', { explanation: unknownAction });
      if ('draft' in action) return showLead(res.status(422), lead, options, action);
      const { callAt, ...event } = action;
      // The page names the first person who did it.
      await intake.act(lead.number, { ...event, by: personAt(res) }, callAt);
      res.redirect(303, leadPath(lead.number));
    });

  router.route('/desk/leads/:number/notes').post(async (req, res) => {
    const lead = await findLead(req, options);
    const fields = fieldsOf(req);
    const note = { key: keyIn(fields), text: tidyText(fields.get('text') ?? '') };
    const error = findNoteError(note.text) ?? (await writeNote(lead, note, res));
    if (error) return showLead(res.status(422), lead, options, { note: { ...note, error } });
    res.redirect(303, leadPath(lead.number));
  });

  router.route('/desk/leads/:number/resend').post(async (req, res) => {
    const { number } = await findLead(req, options);
    const fields = fieldsOf(req);
    await intake.resend(number, fields.get('channel') ?? '', { by: personAt(res), key: keyIn(fields) });
    res.redirect(303, leadPath(number));
  });

  async function writeNote({ number }: Lead, note: NoteDraft, res: Response): Promise<string | undefined> {
    const written = await intake.act(number, { ...note, eventName: 'note', by: personAt(res) });
    return written ? undefined : tooLate;
  }
}

function personAt(res: Response): string {
  return `desk:${res.locals.desk.name}`;
}

const unknownAction = 'Ничего не изменилось: кнопку не узнать. Вернитесь назад и нажмите ещё раз.';

const tooLate = 'Заявку уже удалили по сроку, записать к ней нельзя ничего';

async function findLead(req: Request, { leads }: DeskOptions): Promise<Lead> {
  const number = parseNumber(String(req.params.number));
  const lead = number === undefined ? undefined : await leads.find(number);
  if (lead === undefined) throw invalidPath(req.originalUrl);
  return lead;
}

/** @param drafts sent with errors */
async function showLead(
  res: Response,
  lead: Lead,
  { site, leads, deliveries, intake, siteUrl }: DeskOptions,
  { draft = blankDraft(), note = { key: randomUUID(), text: '' } }: { draft?: ActionDraft; note?: NoteDraft } = {},
): Promise<void> {
  const { number, phone } = lead;
  const [notified, samePhone] = await Promise.all([deliveries.of(number), leads.count({ phone })]);
  const view = deskLeadView({
    desk: res.locals.desk,
    path: leadPath(number),
    heading: leadName(lead),
    wrong: note.error !== undefined || draft.errors.length > 0,
    lead,
    deliveries: notified,
    channels: intake.channels,
    samePhone: samePhone - 1,
    draft,
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
