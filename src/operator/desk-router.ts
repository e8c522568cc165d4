import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseCookie } from 'cookie';
import { type Request, type RequestHandler, type Response, type Router, text } from 'express';
import { announce, type Broadcast, laterToday, type StoredBroadcast } from '../broadcast/broadcast.ts';
import type { FieldError } from '../design/error-summary.tsx';
import { formatDay } from '../design/format.ts';
import type { View } from '../document/page.ts';
import { formType, originOf } from '../http/form.ts';
import { HttpError, invalidPath } from '../http/http-error.ts';
import { exactRouter, refusingOthers } from '../http/router.ts';
import { sendDocument } from '../http/send-document.ts';
import { doubtWords } from '../leads/channels/wording.ts';
import type { Desk } from '../leads/form/receive.ts';
import type { Deliveries } from '../leads/store/deliveries.ts';
import { type Days, leadsToCsv, rangeOf } from '../leads/store/export.ts';
import type { Lead } from '../leads/store/lead.ts';
import type { Leads } from '../leads/store/leads.ts';
import type { Link, Links } from '../leads/store/links.ts';
import { cacheFor } from '../lib/cache-for.ts';
import { localTime, timeOf } from '../lib/calendar.ts';
import { characters, isVisible, tidyText } from '../lib/tidy.ts';
import { instant } from '../model/working-hours.ts';
import type { Site } from '../site/site.ts';
import { deskView } from './desk.page.tsx';
import { deskBroadcastView } from './desk-broadcast.page.tsx';
import type { DeskState } from './desk-frame.tsx';
import { deskRequestView, noteAtMost } from './desk-request.page.tsx';
import { cellWords, noteWords, requestPath, rowOf, toldWords } from './desk-words.ts';
import { leadWords } from './lead-words.ts';

type Options = {
  site: Site;
  leads: Leads;
  deliveries: Deliveries;
  links: Links;
  release: Desk['release'];
  broadcast: Broadcast | StoredBroadcast;
  siteUrl: string;
  /** Stands before all of it. */
  limit: RequestHandler;
};

/** Leads on a page of all, and in each list of the day. */
const pageSize = 20;
const listAtMost = 100;

/** A note that is too long comes back with the advice to shorten it; what is larger was not typed. */
const largestForm = '64kb';

const cookieName = 'desk';

declare global {
  namespace Express {
    interface Locals {
      /** The link to the desk that the visitor has opened. */
      desk: Link;
    }
  }
}

/**
 * `/desk`: where staff work with leads in a browser. Its link, `/desk/link/{secret}`, leaves a cookie and leads there, so
 * that the secret stands in no address that is shown, sent along or noted. GET changes nothing.
 */
export function deskPages({ site, leads, deliveries, links, release, broadcast, siteUrl, limit }: Options): Router {
  const { content, render } = site;
  const { workingHours } = content.company;
  const { timeZone } = workingHours;
  const router = exactRouter();
  const cookie = {
    path: '/desk',
    httpOnly: true,
    secure: siteUrl.startsWith('https:'),
    // The link comes from a messenger: with `strict`, the page that it leads to would not get the cookie.
    sameSite: 'lax',
  } as const;

  router.use('/desk', limit, (_req, res, next) => {
    res.set({ 'Cache-Control': cacheFor.never, 'X-Robots-Tag': 'noindex', ...unreferred });
    next();
  });

  router.route('/desk/link/:secret').get(async (req, res) => {
    const { secret } = req.params;
    const { until } = await linkOf(secret);
    res.cookie(cookieName, secret, { ...cookie, expires: new Date(until) });
    res.redirect(303, '/desk');
  });

  router.use('/desk', async (req, res, next) => {
    res.locals.desk = await linkOf(secretOf(req));
    next();
  });

  const ownForm: RequestHandler[] = [
    (req, _res, next) => {
      // A cookie that is `lax` comes from other pages of the same domain, too.
      const foreign = originOf(req, siteUrl) === 'foreign' || req.get('sec-fetch-site') === 'same-site';
      next(foreign ? new HttpError(403, 'Forbidden', { explanation: notOurs }) : undefined);
    },
    text({ type: formType, limit: largestForm }),
  ];

  router
    .route('/desk')
    .get(async (_req, res) => {
      const now = new Date();
      const { date } = localTime(now, timeZone);
      const [waiting, taken] = await Promise.all([
        leads.list({ state: 'new', limit: listAtMost + 1 }),
        leads.list({ takenSince: new Date(instant(date, '00:00', timeZone)).toISOString(), limit: listAtMost }),
      ]);
      const rows = (some: readonly Lead[]) => some.map((lead) => rowOf(lead, content, now));
      const groups = [
        {
          heading: 'Ждут звонка',
          // Who has waited for longest comes first.
          rows: rows(waiting.slice(0, listAtMost)).toReversed(),
          empty: 'Все заявки взяты.',
          ...(waiting.length > listAtMost && { more: `Это последние ${listAtMost}, остальные в списке «Все».` }),
        },
        { heading: 'Взяты сегодня', rows: rows(taken), empty: 'Сегодня ещё ничего не взяли.' },
      ];
      const desk = await stateOf(res);
      send(res, deskView({ desk, path: '/desk', heading: 'Заявки', lead: `Сегодня, ${formatDay(date)}`, groups }));
    })
    .post(ownForm, (req: Request, res: Response) => {
      if (fieldsOf(req).get('do') !== 'leave') throw new HttpError(400, 'Bad Request');
      res.clearCookie(cookieName, cookie);
      res.locals.log.info({ by: res.locals.desk.name }, 'desk left');
      res.redirect(303, '/');
    });

  router.route('/desk/requests').get(async (req, res) => {
    const before = req.query.before === undefined ? undefined : readNumber(req, String(req.query.before));
    const found = await leads.list({ ...(before !== undefined && { before }), limit: pageSize + 1 });
    const shown = found.slice(0, pageSize);
    const rows = shown.map((lead) => rowOf(lead, content, new Date()));
    const path = '/desk/requests';
    const view = deskView({
      ...{ desk: await stateOf(res), path, heading: 'Все заявки', groups: [{ rows, empty: 'Здесь ничего нет.' }] },
      older: found.length > pageSize ? `${path}?before=${shown.at(-1)?.number}` : undefined,
      newest: before === undefined ? undefined : path,
    });
    send(res, view);
  });

  router
    .route('/desk/quarantine')
    .get(async (_req, res) => {
      const found = await leads.list({ state: 'quarantined', limit: listAtMost });
      const rows = found.map((lead) => rowOf(lead, content, new Date()));
      const view = deskView({
        ...{ desk: await stateOf(res), path: '/desk/quarantine', heading: 'Карантин', release: true },
        lead: 'Похоже на спам, поэтому об этих заявках никому не сообщали. Если пишет человек, выпустите заявку.',
        groups: [{ rows, empty: 'В карантине пусто.' }],
      });
      send(res, view);
    })
    .post(ownForm, async (req: Request, res: Response) => {
      const { number } = await leadOf(req, fieldsOf(req).get('number') ?? '');
      await letOut(number, res);
      res.redirect(303, '/desk/quarantine');
    });

  router
    .route('/desk/requests/:number')
    .get(async (req, res) => showRequest(res, await leadOf(req, req.params.number)))
    .post(ownForm, async (req: Request, res: Response) => {
      const lead = await leadOf(req, String(req.params.number));
      const fields = fieldsOf(req);
      const todo = fields.get('do');
      if (todo === 'take') await take(lead.number, res);
      else if (todo === 'release') await letOut(lead.number, res);
      else if (todo === 'note') {
        const note = { key: readKey(fields), text: tidyText(fields.get('text') ?? '') };
        const error = wrongNote(note.text) ?? (await noted(lead.number, note, res));
        if (error) return showRequest(res.status(422), lead, { ...note, error });
      } else throw new HttpError(400, 'Bad Request');
      res.redirect(303, requestPath(lead.number));
    });

  router
    .route('/desk/broadcast')
    .get((_req, res) => showBroadcast(res))
    .post(ownForm, async (req: Request, res: Response) => {
      if (!('set' in broadcast)) throw new HttpError(409, 'Conflict');
      const { name: by } = res.locals.desk;
      const fields = fieldsOf(req);
      if (fields.get('do') === 'off') {
        await broadcast.set({ status: false });
        res.locals.log.info({ by }, 'broadcast switched off');
        return res.redirect(303, '/desk/broadcast');
      }
      const values = { url: (fields.get('url') ?? '').trim(), until: fields.get('until') ?? '' };
      const announced = announce(values.url, content.integrations.videoHosts);
      const until = values.until ? laterToday(values.until, new Date(), timeZone) : null;
      const errors = [
        ...(announced ? [] : [{ field: 'url', message: 'Вставьте адрес видео целиком, с https:// в начале' }]),
        ...(until === undefined ? [{ field: 'until', message: 'Укажите время сегодня, которое ещё не прошло' }] : []),
      ];
      if (announced === undefined || until === undefined) return showBroadcast(res.status(422), { values, errors });
      await broadcast.set({ status: true, url: announced.url, ...(until && { until }) });
      res.locals.log.info({ by, until }, 'broadcast switched on');
      res.redirect(303, '/desk/broadcast');
    });

  router.route('/desk/export').get(async (req, res) => {
    const days = { from: String(req.query.from ?? '').trim(), to: String(req.query.to ?? '').trim() };
    const read = rangeOf(days, timeZone);
    if ('wrong' in read) {
      const errors = read.wrong.map((field) => ({ field, message: wrongDay[field] }));
      const desk = await stateOf(res);
      const exporting = { days, errors };
      return send(
        res.status(422),
        deskView({ desk, path: '/desk/export', heading: 'Таблица заявок', groups: [], exporting }),
      );
    }
    const last = days.to || localTime(new Date(), timeZone).date;
    res.locals.log.info({ by: res.locals.desk.name, ...days }, 'leads exported');
    res.attachment(`${['zayavki', days.from, last].filter(Boolean).join('-')}.csv`);
    res.set('Content-Type', 'text/csv; charset=utf-8');
    try {
      const desk = { timeZone, words: (lead: Lead) => cellWords(lead, content) };
      await pipeline(Readable.from(leadsToCsv(leads.all(read.range), desk)), res);
    } catch (error) {
      // Who goes away in the middle is no failure of ours.
      if (!(Error.isError(error) && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE')) throw error;
    }
  });

  async function linkOf(secret: string | undefined): Promise<Link> {
    const link = secret && (await links.find(secret));
    return link && link.lead === null ? link : refused();
  }

  async function leadOf(req: Request, number: string): Promise<Lead> {
    const lead = await leads.find(readNumber(req, number));
    if (lead === undefined) throw invalidPath(req.originalUrl);
    return lead;
  }

  /** Whoever was first has it; the page says who that is. */
  async function take(lead: number, res: Response): Promise<void> {
    const { name: by } = res.locals.desk;
    const outcome = await leads.take(lead, `desk:${by}`);
    if (outcome?.first) res.locals.log.info({ lead, by }, 'lead taken');
  }

  async function letOut(lead: number, res: Response): Promise<void> {
    if (await release(lead)) res.locals.log.info({ lead, by: res.locals.desk.name }, 'lead released');
  }

  /** @returns why it was not written down */
  async function noted(lead: number, note: { key: string; text: string }, res: Response): Promise<string | undefined> {
    const { name: by } = res.locals.desk;
    if (!(await leads.note(lead, { ...note, by }))) return 'Заявку уже удалили по сроку, записать к ней нельзя ничего';
    res.locals.log.info({ lead, by }, 'note written');
    return undefined;
  }

  async function showRequest(
    res: Response,
    lead: Lead,
    note: { key: string; text: string; error?: string } = { key: randomUUID(), text: '' },
  ): Promise<void> {
    const now = new Date();
    const messages = await deliveries.of(lead.number);
    const view = deskRequestView({
      ...{ desk: await stateOf(res), path: requestPath(lead.number), lead: leadWords(lead, content, siteUrl), note },
      doubt: lead.state === 'quarantined' ? doubtWords(lead.signals) : undefined,
      notes: lead.notes.map((one) => noteWords(one, now, timeZone)),
      told: messages.map((one) => toldWords(one, now, timeZone)),
    });
    send(res, view);
  }

  async function showBroadcast(
    res: Response,
    sent?: { values: { url: string; until: string }; errors: readonly FieldError[] },
  ): Promise<void> {
    const stored = 'set' in broadcast;
    // What another process has switched is seen at once.
    const state = await (stored ? broadcast.read() : broadcast.current());
    const until =
      state.status && state.until ? timeOf(localTime(new Date(state.until), timeZone).minutes).padStart(5, '0') : '';
    const live = state.status ? { url: state.url, until, trouble: troubleOf(state.url) } : undefined;
    const { values, errors } = sent ?? { values: { url: live?.url ?? '', until }, errors: [] };
    send(res, deskBroadcastView({ desk: await stateOf(res), live, elsewhere: !stored, values, errors }));
  }

  function troubleOf(url: string): string {
    const linkedOnly = announce(url, content.integrations.videoHosts)?.linkedOnly;
    if (linkedOnly === undefined) return '';
    const why =
      linkedOnly === 'host'
        ? `сервера ${new URL(url).host} нет в VIDEO_HOSTS, добавит его тот, кто ведёт сервер`
        : 'адрес начинается не с https';
    return `Видео на странице не видно, на него только ссылка: ${why}.`;
  }

  async function stateOf(res: Response): Promise<DeskState> {
    const { name: who, until } = res.locals.desk;
    const quarantined = await leads.count({ state: 'quarantined' });
    return { who, until: formatDay(localTime(new Date(until), timeZone).date), quarantined };
  }

  function send(res: Response, view: View): void {
    sendDocument(res, render(view), unreferred);
  }

  return refusingOthers(router);
}

/** No page that is opened from here may learn where. */
const unreferred = { 'Referrer-Policy': 'no-referrer' };

const notOurs = 'Ничего не изменилось: форму отправили не со страницы стола. Откройте стол и повторите.';

const wrongDay: Readonly<Record<keyof Days, string>> = {
  from: 'Проверьте первый день: нужны день, месяц и год',
  to: 'Проверьте последний день: нужны день, месяц и год, и не раньше первого дня',
};

function refused(): never {
  throw new HttpError(403, 'No link to the desk', {
    explanation:
      'Стол заявок открывают по личной ссылке. В этом браузере её не открывали, вы вышли, её срок кончился или её отозвали. Новую даст тот, кто ведёт сервер.',
  });
}

function secretOf(req: Request): string | undefined {
  return parseCookie(req.get('cookie') ?? '')[cookieName];
}

function fieldsOf({ body }: Request): URLSearchParams {
  return new URLSearchParams(typeof body === 'string' ? body : '');
}

/** @throws {HttpError} no lead has such a number */
function readNumber(req: Request, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw invalidPath(req.originalUrl);
  return Number(text);
}

/** A form without a key is none of ours, and what it says is kept all the same. */
function readKey(fields: URLSearchParams): string {
  const key = fields.get('key') ?? '';
  return /^[\w-]{8,64}$/.test(key) ? key : randomUUID();
}

function wrongNote(text: string): string | undefined {
  if (!isVisible(text)) return 'Напишите, что записать';
  if (characters(text) > noteAtMost) return `Сократите заметку: в ней больше ${noteAtMost} знаков`;
  return undefined;
}
