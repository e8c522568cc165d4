import type { Router } from 'express';
import { exactRouter, refusingOthers } from '../../http/router.ts';
import { readPhone } from '../../lib/phone.ts';
import { tidyLine } from '../../lib/tidy.ts';
import { deskView } from './desk.page.tsx';
import { type DeskOptions, requireNumber, sendDeskPage } from './desk-session.ts';

const pageSize = 20;
const maxQuarantined = 100;
const maxFound = 100;
const maxQueryLength = 100;

/** `/desk/leads`, `/desk/quarantine` and `/desk/find`. */
export function listsDesk({ site, leads }: DeskOptions): Router {
  const { content } = site;
  const router = exactRouter();

  router.route('/desk/leads').get(async (req, res) => {
    const path = '/desk/leads';
    const before = requireNumber(req, req.query.before);
    const found = await leads.list({ after: before, limit: pageSize + 1 });
    const shown = found.slice(0, pageSize);
    const view = deskView({
      desk: res.locals.desk,
      path,
      heading: 'Все заявки',
      query: '',
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

  // By POST, so that no phone is in an address.
  router.route('/desk/find').post(async (req, res) => {
    const query = tidyLine(String(req.body?.query ?? '').slice(0, maxQueryLength));
    const number = /^№? ?(\d{1,8})$/.exec(query)?.[1];
    if (number !== undefined && (await leads.find(Number(number))))
      return res.redirect(303, `/desk/leads/${Number(number)}`);
    const phone = readPhone(query);
    const found = phone === undefined ? [] : await leads.list({ phone, limit: maxFound });
    const view = deskView({
      desk: res.locals.desk,
      path: '/desk/find',
      heading: 'Поиск',
      query,
      lists: [{ leads: found, empty: 'Ничего не нашлось. Введите телефон целиком или номер заявки.' }],
      content,
      now: new Date(),
    });
    sendDeskPage(res, site, view);
  });

  return refusingOthers(router);
}
