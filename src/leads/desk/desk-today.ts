import type { Router } from 'express';
import { exactRouter, refusingOthers } from '../../http/router.ts';
import { localTime } from '../../lib/calendar.ts';
import { startOfDay } from '../../model/working-hours.ts';
import { publicationOf } from '../../publishing/publication.ts';
import type { Lead } from '../store/lead.ts';
import type { Leads } from '../store/leads.ts';
import { deskView, type LeadList } from './desk.page.tsx';
import { type DeskOptions, requireNumber, sendDeskPage } from './desk-session.ts';
import { todayWords } from './today-words.ts';

/** In each list of the page. */
const maxListed = 100;
/** Of a day, for the line that counts them. */
const maxCounted = 1_000;

/** `/desk`: leads that wait, longest first, then those at work, those planned, those finished today, and what is published. */
export function todayDesk({ site, leads, published }: DeskOptions): Router {
  const { content } = site;
  const { workingHours } = content.company;
  const router = exactRouter();
  router.route('/desk').get(async (req, res) => {
    const after = requireNumber(req, req.query.after);
    const now = new Date();
    const { date } = localTime(now, workingHours.timeZone);
    const midnight = startOfDay(date, workingHours.timeZone).toISOString();
    const [lists, received] = await Promise.all([listsAt(leads, now, midnight, after), receivedSince(leads, midnight)]);
    const view = deskView({
      desk: res.locals.desk,
      path: '/desk',
      heading: 'Заявки',
      intro: todayWords(received, workingHours, now),
      query: '',
      publication: published === undefined ? undefined : publicationOf(published, site.revision),
      lists,
      content,
      now,
    });
    sendDeskPage(res, site, view);
  });
  return refusingOthers(router);
}

/** @param after the number of the last lead on the page before */
async function listsAt(leads: Leads, now: Date, midnight: string, after: number | undefined): Promise<LeadList[]> {
  const instant = now.toISOString();
  const longest = { order: 'longest', limit: maxListed } as const;
  const [found, count, taken, planned, done] = await Promise.all([
    leads.list({ ...longest, state: 'waiting', since: { until: instant }, after, limit: maxListed + 1 }),
    leads.count({ state: 'waiting' }),
    leads.list({ ...longest, state: 'taken' }),
    leads.list({ ...longest, state: 'waiting', since: { since: instant } }),
    leads.list({ state: 'done', since: { since: midnight }, order: 'latest', limit: maxListed }),
  ]);
  const waiting = found.slice(0, maxListed);
  const more = found.length > maxListed && {
    text: `Всего ждут: ${count}. Сначала те, что ждут дольше.`,
    href: `/desk?after=${waiting.at(-1)?.number}`,
  };
  return [
    { heading: 'Ждут звонка', leads: waiting, empty: 'Все заявки взяты.', ...(more && { more }) },
    ...(taken.length > 0 ? [{ heading: 'Взяты, итога ещё нет', leads: taken, empty: '' }] : []),
    ...(planned.length > 0 ? [{ heading: 'Перезвонить', leads: planned, empty: '' }] : []),
    { heading: 'Закончены сегодня', leads: done, empty: 'Сегодня ещё ничего не закончили.' },
  ];
}

/** Without those in quarantine. */
async function receivedSince(leads: Leads, instant: string): Promise<Lead[]> {
  const states = ['waiting', 'taken', 'done'] as const;
  const found = states.map((state) => leads.list({ state, receivedSince: instant, limit: maxCounted }));
  return (await Promise.all(found)).flat();
}
