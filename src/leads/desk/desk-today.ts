import type { Router } from 'express';
import { exactRouter, refusingOthers } from '../../http/router.ts';
import { publicationOf } from '../../publishing/publication.ts';
import { deskView } from './desk.page.tsx';
import { type DeskOptions, sendDeskPage } from './desk-session.ts';
import { listsAt, readPage, startOfToday } from './lead-lists.ts';
import { todayWords } from './today-words.ts';

const lists = ['waiting', 'taken', 'planned', 'done'] as const;
/** Hidden while they are empty. */
const occasional: readonly string[] = ['taken', 'planned'];

/** `/desk`: the beginning of each list, and what is published. */
export function todayDesk({ site, leads, published }: DeskOptions): Router {
  const { content } = site;
  const { workingHours } = content.company;
  const { timeZone } = workingHours;
  const router = exactRouter();
  router.route('/desk').get(async (_req, res) => {
    const now = new Date();
    const read = lists.map(async (name) => {
      const { heading, ...list } = listsAt(now, timeZone)[name];
      const page = await readPage(leads, list, { path: `/desk/${name}` });
      return page.leads.length === 0 && occasional.includes(name) ? [] : [{ ...page, heading }];
    });
    const today = Array.fromAsync(leads.all({ since: startOfToday(now, timeZone) }));
    const [received, ...pages] = await Promise.all([today, ...read]);
    const view = deskView({
      desk: res.locals.desk,
      path: '/desk',
      heading: 'Заявки',
      intro: todayWords(received, workingHours, now),
      query: '',
      publication: published === undefined ? undefined : publicationOf(published, site.revision),
      lists: pages.flat(),
      content,
      now,
    });
    sendDeskPage(res, site, view);
  });
  return refusingOthers(router);
}
