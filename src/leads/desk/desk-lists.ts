import type { Request, Router } from 'express';
import { fieldsOf } from '../../http/form.ts';
import { invalidPath } from '../../http/http-error.ts';
import { localTime } from '../../lib/calendar.ts';
import { readPhone } from '../../lib/phone.ts';
import { tidyLine } from '../../lib/tidy.ts';
import { startOfDay } from '../../model/working-hours.ts';
import { publicationOf } from '../../publishing/publication.ts';
import { todayPhrase } from '../messages/desk-phrases.ts';
import type { LeadFilter, Leads, ListFilter, Position } from '../store/leads.ts';
import { deskView, type LeadPage } from './desk.page.tsx';
import { type DeskOptions, sendDeskPage } from './desk-session.ts';

/** `/desk` has the beginning of each list, and what is published. Each list has its pages, and `/desk/find` searches. */
export function serveLists(router: Router, { site, leads, published }: DeskOptions): void {
  const { content } = site;
  const { workingHours } = content.company;
  const { timeZone } = workingHours;

  router.route('/desk').get(async (_req, res) => {
    const now = new Date();
    const pages = todaysLists.map(async (name) => {
      const { heading, ...list } = listsAt(now, timeZone)[name];
      const page = await readPage(leads, list, { path: `/desk/${name}` });
      return page.leads.length === 0 && occasionalLists.includes(name) ? [] : [{ ...page, heading }];
    });
    const today = Array.fromAsync(leads.all({ since: startOfToday(now, timeZone) }));
    const [received, ...lists] = await Promise.all([today, ...pages]);
    const view = deskView({
      desk: res.locals.desk,
      path: '/desk',
      heading: 'Заявки',
      intro: todayPhrase(received, workingHours, now),
      query: '',
      publication: published === undefined ? undefined : publicationOf(published, site.revision),
      lists: lists.flat(),
      content,
      now,
    });
    sendDeskPage(res, site, view);
  });

  for (const name of listNames) {
    const path = `/desk/${name}`;
    router.route(path).get(async (req, res) => {
      const now = new Date();
      const { heading, intro, ...list } = listsAt(now, timeZone)[name];
      const lists = [await readPage(leads, list, { path }, positionIn(req, req.query.after))];
      const query = name === 'leads' ? '' : undefined;
      sendDeskPage(res, site, deskView({ desk: res.locals.desk, path, heading, intro, query, lists, content, now }));
    });
  }

  // By POST, so that no phone is in an address.
  router.route('/desk/find').post(async (req, res) => {
    const fields = fieldsOf(req);
    const query = tidyLine((fields.get('query') ?? '').slice(0, maxQueryLength));
    const number = /^№? ?(\d{1,8})$/.exec(query)?.[1];
    if (number !== undefined && (await leads.find(Number(number))))
      return res.redirect(303, `/desk/leads/${Number(number)}`);
    const phone = readPhone(query);
    const where = { path: '/desk/find', query };
    const empty = 'Ничего не нашлось. Введите телефон целиком или номер заявки.';
    const nothing: LeadPage = { ...where, leads: [], empty, isFirst: true };
    const after = positionIn(req, fields.get('after') ?? undefined);
    const page = phone === undefined ? nothing : await readPage(leads, { filter: { phone }, empty }, where, after);
    const heading = 'Поиск';
    const now = new Date();
    sendDeskPage(res, site, deskView({ desk: res.locals.desk, ...where, heading, lists: [page], content, now }));
  });
}

const maxQueryLength = 100;

/** The last part of their address. */
const listNames = ['waiting', 'taken', 'planned', 'done', 'leads', 'quarantine'] as const;
const todaysLists = ['waiting', 'taken', 'planned', 'done'] as const;
/** Of today's, those that are hidden while they are empty. */
const occasionalLists: readonly string[] = ['taken', 'planned'];

type LeadList = {
  heading: string;
  intro?: string;
  filter: LeadFilter;
  order?: ListFilter['order'];
  /** Shown without leads. */
  empty: string;
};

function listsAt(now: Date, timeZone: string): Readonly<Record<(typeof listNames)[number], LeadList>> {
  const instant = now.toISOString();
  return {
    waiting: {
      heading: 'Ждут звонка',
      filter: { state: 'waiting', since: { until: instant } },
      order: 'longest',
      empty: 'Сейчас никто не ждёт звонка.',
    },
    taken: {
      heading: 'Взяты, итога ещё нет',
      filter: { state: 'taken' },
      order: 'longest',
      empty: 'Таких заявок нет.',
    },
    planned: {
      heading: 'Перезвонить',
      filter: { state: 'waiting', since: { since: instant } },
      order: 'longest',
      empty: 'Таких заявок нет.',
    },
    done: {
      heading: 'Закончены сегодня',
      filter: { state: 'done', since: { since: startOfToday(now, timeZone) } },
      order: 'latest',
      empty: 'Сегодня ещё ничего не закончили.',
    },
    leads: { heading: 'Все заявки', filter: {}, empty: 'Здесь ничего нет.' },
    quarantine: {
      heading: 'Карантин',
      intro: 'Похоже на спам, поэтому об этих заявках никому не сообщали. Если пишет человек, выпустите заявку.',
      filter: { state: 'quarantined' },
      empty: 'В карантине пусто.',
    },
  };
}

function startOfToday(now: Date, timeZone: string): string {
  return startOfDay(localTime(now, timeZone).date, timeZone).toISOString();
}

/** On one page of a list. */
const maxListed = 100;

type Where = Pick<LeadPage, 'path' | 'query'>;

/** @param after the end of the page before */
async function readPage(
  leads: Leads,
  { filter, order, empty }: Omit<LeadList, 'heading'>,
  where: Where,
  after?: Position,
): Promise<LeadPage> {
  const found = await leads.list({ ...filter, order, after, limit: maxListed + 1 });
  const shown = found.slice(0, maxListed);
  const last = found.length > maxListed ? shown.at(-1) : undefined;
  return {
    ...where,
    leads: shown,
    empty: after ? 'Дальше заявок нет.' : empty,
    isFirst: after === undefined,
    ...(last && { next: { after: positionText(last), total: await leads.count(filter) } }),
  };
}

/** By values, because the lead may have left the list when the next page is opened. */
function positionText({ since, number }: Position): string {
  return `${Date.parse(since)}-${number}`;
}

/** @throws a 404 for text that is no position */
function positionIn({ originalUrl }: Request, text: unknown): Position | undefined {
  if (text === undefined) return undefined;
  const [, since, number] = /^(\d{1,13})-(\d{1,9})$/.exec(String(text)) ?? [];
  if (since === undefined) throw invalidPath(originalUrl);
  return { since: new Date(Number(since)).toISOString(), number: Number(number) };
}
