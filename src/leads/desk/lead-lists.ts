import type { Request } from 'express';
import { invalidPath } from '../../http/http-error.ts';
import { localTime } from '../../lib/calendar.ts';
import { startOfDay } from '../../model/working-hours.ts';
import type { LeadFilter, Leads, ListFilter, Position } from '../store/leads.ts';
import type { LeadPage } from './desk.page.tsx';

/** On one page of a list. */
const maxListed = 100;

type LeadList = {
  heading: string;
  intro?: string;
  filter: LeadFilter;
  order?: ListFilter['order'];
  /** Shown without leads. */
  empty: string;
};

/** The last part of their address. */
export const listNames = ['waiting', 'taken', 'planned', 'done', 'leads', 'quarantine'] as const;

export function listsAt(now: Date, timeZone: string): Readonly<Record<(typeof listNames)[number], LeadList>> {
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

export function startOfToday(now: Date, timeZone: string): string {
  return startOfDay(localTime(now, timeZone).date, timeZone).toISOString();
}

type Where = Pick<LeadPage, 'path' | 'query'>;

/** @param after the end of the page before */
export async function readPage(
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
export function positionIn({ originalUrl }: Request, given: unknown): Position | undefined {
  if (given === undefined) return undefined;
  const [, since, number] = /^(\d{1,13})-(\d{1,9})$/.exec(String(given)) ?? [];
  if (since === undefined) throw invalidPath(originalUrl);
  return { since: new Date(Number(since)).toISOString(), number: Number(number) };
}
