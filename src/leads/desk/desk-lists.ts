import type { Router } from 'express';
import { exactRouter, refusingOthers } from '../../http/router.ts';
import { deskView } from './desk.page.tsx';
import { type DeskOptions, requireNumber, sendDeskPage } from './desk-session.ts';

const pageSize = 20;
const maxQuarantined = 100;

/** `/desk/leads` and `/desk/quarantine`. */
export function listsDesk({ site, leads }: DeskOptions): Router {
  const { content } = site;
  const router = exactRouter();

  router.route('/desk/leads').get(async (req, res) => {
    const path = '/desk/leads';
    const before = requireNumber(req, req.query.before);
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
    const found = await leads.list({ state: 'quarantined', limit: maxQuarantined });
    const view = deskView({
      desk: res.locals.desk,
      path: '/desk/quarantine',
      heading: 'Карантин',
      intro: 'Похоже на спам, поэтому об этих заявках никому не сообщали. Если пишет человек, выпустите заявку.',
      lists: [{ leads: found, empty: 'В карантине пусто.' }],
      content,
      now: new Date(),
    });
    sendDeskPage(res, site, view);
  });

  return refusingOthers(router);
}
