import type { Router } from 'express';
import { exactRouter, refusingOthers } from '../../http/router.ts';
import { localTime } from '../../lib/calendar.ts';
import { formatDay } from '../../lib/format.ts';
import { startOfDay } from '../../model/working-hours.ts';
import { publicationOf } from '../../publishing/publication.ts';
import { deskView } from './desk.page.tsx';
import { type DeskOptions, requireNumber, sendDeskPage } from './desk-session.ts';

const maxWaiting = 100;
const maxTaken = 1_000;

/** `/desk`: leads that wait, those taken today, and what is published. */
export function todayDesk({ site, leads, published }: DeskOptions): Router {
  const { content } = site;
  const { timeZone } = content.company.workingHours;
  const router = exactRouter();
  router.route('/desk').get(async (req, res) => {
    const after = requireNumber(req, req.query.after) ?? 0;
    const now = new Date();
    const { date } = localTime(now, timeZone);
    const takenSince = startOfDay(date, timeZone).toISOString();
    const [found, taken, count] = await Promise.all([
      leads.list({ state: 'new', after, limit: maxWaiting + 1 }),
      leads.list({ takenSince, limit: maxTaken }),
      leads.count({ state: 'new' }),
    ]);
    const waiting = found.slice(0, maxWaiting);
    const more = found.length > maxWaiting && {
      text: `Всего ждут: ${count}. Сначала те, что ждут дольше.`,
      href: `/desk?after=${waiting.at(-1)?.number}`,
    };
    const view = deskView({
      desk: res.locals.desk,
      path: '/desk',
      heading: 'Заявки',
      intro: `Сегодня, ${formatDay(date)}`,
      publication: published === undefined ? undefined : publicationOf(published, site.revision),
      lists: [
        { heading: 'Ждут звонка', leads: waiting, empty: 'Все заявки взяты.', ...(more && { more }) },
        { heading: 'Взяты сегодня', leads: taken, empty: 'Сегодня ещё ничего не взяли.' },
      ],
      content,
      now,
    });
    sendDeskPage(res, site, view);
  });
  return refusingOthers(router);
}
