import { randomUUID } from 'node:crypto';
import type { Request, Response, Router } from 'express';
import { invalidPath } from '../../http/http-error.ts';
import { exactRouter, refusingOthers } from '../../http/router.ts';
import { localTime } from '../../lib/calendar.ts';
import { formatDay } from '../../lib/format.ts';
import { characters, isVisible, tidyText } from '../../lib/tidy.ts';
import { instant } from '../../model/working-hours.ts';
import { publicationOf } from '../../publishing/publication.ts';
import type { Lead } from '../store/lead.ts';
import { deskView } from './desk.page.tsx';
import { deskLeadView, type NoteDraft } from './desk-lead.page.tsx';
import { type DeskOptions, sendDeskPage } from './desk-session.ts';
import { leadName } from './lead-sheet.tsx';

/** Leads per page, in quarantine, among those that wait, and taken today. */
const pageSize = 20;
const quarantineSize = 100;
const waitingSize = 100;
const takenSize = 1_000;

const maxNoteLength = 1_000;

/** Longer than a UUID; the key is stored with the note. */
const maxKeyLength = 64;

export function leadsDesk({ site, leads, deliveries, release, published, siteUrl }: DeskOptions): Router {
  const { content } = site;
  const { timeZone } = content.company.workingHours;
  const router = exactRouter();

  router.route('/desk').get(async (req, res) => {
    const after = readBound(req, 'after') ?? 0;
    const now = new Date();
    const { date } = localTime(now, timeZone);
    const midnight = new Date(instant(date, '00:00', timeZone)).toISOString();
    const [found, taken, count] = await Promise.all([
      leads.list({ state: 'new', after, limit: waitingSize + 1 }),
      leads.list({ takenSince: midnight, limit: takenSize }),
      leads.count({ state: 'new' }),
    ]);
    const waiting = found.slice(0, waitingSize);
    const more = found.length > waitingSize && {
      text: `Всего ждут: ${count}. Сначала те, что ждут дольше.`,
      href: `/desk?after=${waiting.at(-1)?.number}`,
    };
    const lists = [
      { heading: 'Ждут звонка', leads: waiting, empty: 'Все заявки взяты.', ...(more && { more }) },
      { heading: 'Взяты сегодня', leads: taken, empty: 'Сегодня ещё ничего не взяли.' },
    ];
    const { desk } = res.locals;
    const lead = `Сегодня, ${formatDay(date)}`;
    const publication = published === undefined ? undefined : publicationOf(published, site.revision);
    sendDeskPage(
      res,
      site,
      deskView({ desk, path: '/desk', heading: 'Заявки', lead, publication, lists, content, now }),
    );
  });

  router.route('/desk/leads').get(async (req, res) => {
    const path = '/desk/leads';
    const before = readBound(req, 'before');
    const found = await leads.list({ before, limit: pageSize + 1 });
    const shown = found.slice(0, pageSize);
    const view = deskView({
      desk: res.locals.desk,
      path,
      heading: 'Все заявки',
      lists: [{ leads: shown, empty: 'Здесь ничего нет.' }],
      older: found.length > pageSize ? `${path}?before=${shown.at(-1)?.number}` : undefined,
      newest: before === undefined ? undefined : path,
      content,
      now: new Date(),
    });
    sendDeskPage(res, site, view);
  });

  router.route('/desk/quarantine').get(async (_req, res) => {
    const found = await leads.list({ state: 'quarantined', limit: quarantineSize });
    const view = deskView({
      desk: res.locals.desk,
      path: '/desk/quarantine',
      heading: 'Карантин',
      lead: 'Похоже на спам, поэтому об этих заявках никому не сообщали. Если пишет человек, выпустите заявку.',
      lists: [{ leads: found, empty: 'В карантине пусто.' }],
      content,
      now: new Date(),
    });
    sendDeskPage(res, site, view);
  });

  router.route('/desk/leads/:number').get(async (req, res) => {
    await show(res, await leadOf(req), { key: randomUUID(), text: '' });
  });

  router.route('/desk/leads/:number/take').post(async (req, res) => {
    const { number: lead } = await leadOf(req);
    const by = res.locals.desk.name;
    // The page names the first person who took the lead.
    const outcome = await leads.take(lead, `desk:${by}`);
    if (outcome?.first) res.locals.log.info({ lead, by }, 'lead taken');
    res.redirect(303, pathOf(lead));
  });

  router.route('/desk/leads/:number/release').post(async (req, res) => {
    const { number: lead } = await leadOf(req);
    if (await release(lead)) res.locals.log.info({ lead, by: res.locals.desk.name }, 'lead released');
    res.redirect(303, pathOf(lead));
  });

  router.route('/desk/leads/:number/notes').post(async (req, res) => {
    const lead = await leadOf(req);
    const { number } = lead;
    const by = res.locals.desk.name;
    const key = String(req.body?.key || randomUUID()).slice(0, maxKeyLength);
    const note = { key, text: tidyText(String(req.body?.text ?? '')) };
    const error = wrongNote(note.text);
    if (error) return show(res.status(422), lead, { ...note, error });
    if (!(await leads.note(number, { ...note, by }))) {
      const error = 'Заявку уже удалили по сроку, записать к ней нельзя ничего';
      return show(res.status(422), lead, { ...note, error });
    }
    res.locals.log.info({ lead: number, by }, 'note written');
    res.redirect(303, pathOf(number));
  });

  async function leadOf(req: Request): Promise<Lead> {
    const lead = await leads.find(readNumber(req, String(req.params.number)));
    if (lead === undefined) throw invalidPath(req.originalUrl);
    return lead;
  }

  async function show(res: Response, lead: Lead, note: NoteDraft): Promise<void> {
    const view = deskLeadView({
      desk: res.locals.desk,
      path: pathOf(lead.number),
      heading: leadName(lead),
      wrong: note.error !== undefined,
      lead,
      deliveries: await deliveries.of(lead.number),
      note,
      content,
      siteUrl,
      now: new Date(),
    });
    sendDeskPage(res, site, view);
  }

  return refusingOthers(router);
}

function pathOf(number: number): string {
  return `/desk/leads/${number}`;
}

function readBound(req: Request, name: 'after' | 'before'): number | undefined {
  const text = req.query[name];
  return text === undefined ? undefined : readNumber(req, String(text));
}

function readNumber(req: Request, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw invalidPath(req.originalUrl);
  return Number(text);
}

function wrongNote(text: string): string | undefined {
  if (!isVisible(text)) return 'Напишите, что записать';
  if (characters(text) > maxNoteLength) return `Сократите заметку: в ней больше ${maxNoteLength} знаков`;
  return undefined;
}
