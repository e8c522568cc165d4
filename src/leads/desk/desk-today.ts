import type { Router } from 'express';
import { exactRouter, refusingOthers } from '../../http/router.ts';
import { publicationOf } from '../../publishing/publication.ts';
import { deskView } from './desk.page.tsx';
import { type DeskOptions, sendDeskPage } from './desk-session.ts';
import { listsAt, readPage, startOfToday } from './lead-lists.ts';
import { todayWords } from './today-words.ts';

/** Some appear only with leads. */
const lists = [
  { name: 'waiting', always: true },
  { name: 'taken', always: false },
  { name: 'planned', always: false },
  { name: 'done', always: true },
] as const;

/** `/desk`: the beginning of each list, and what is published. */
export function todayDesk({ site, leads, published }: DeskOptions): Router {
  const { content } = site;
  const { workingHours } = content.company;
  const { timeZone } = workingHours;
  const router = exactRouter();
  router.route('/desk').get(async (_req, res) => {
    const now = new Date();
    const read = lists.map(async ({ name, always }) => {
      const { heading, ...list } = listsAt(now, timeZone)[name];
      const page = await readPage(leads, list, { path: `/desk/${name}` });
      return always || page.leads.length > 0 ? [{ ...page, heading }] : [];
    });
    const received = await Array.fromAsync(leads.all({ since: startOfToday(now, timeZone) }));
    const view = deskView({
      desk: res.locals.desk,
      path: '/desk',
      heading: 'Заявки',
      intro: todayWords(received, workingHours, now),
      query: '',
      publication: published === undefined ? undefined : publicationOf(published, site.revision),
      lists: (await Promise.all(read)).flat(),
      content,
      now,
    });
    sendDeskPage(res, site, view);
  });
  return refusingOthers(router);
}
