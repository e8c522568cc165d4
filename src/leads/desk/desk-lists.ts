import type { Router } from 'express';
import { exactRouter, refusingOthers } from '../../http/router.ts';
import { readPhone } from '../../lib/phone.ts';
import { tidyLine } from '../../lib/tidy.ts';
import { deskView, type LeadPage } from './desk.page.tsx';
import { type DeskOptions, sendDeskPage } from './desk-session.ts';
import { listNames, listsAt, positionIn, readPage } from './lead-lists.ts';

const maxQueryLength = 100;

/** The pages of each list, and `/desk/find`. */
export function listsDesk({ site, leads }: DeskOptions): Router {
  const { content } = site;
  const { timeZone } = content.company.workingHours;
  const router = exactRouter();

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
    const query = tidyLine(String(req.body?.query ?? '').slice(0, maxQueryLength));
    const number = /^№? ?(\d{1,8})$/.exec(query)?.[1];
    if (number !== undefined && (await leads.find(Number(number))))
      return res.redirect(303, `/desk/leads/${Number(number)}`);
    const phone = readPhone(query);
    const where = { path: '/desk/find', query };
    const empty = 'Ничего не нашлось. Введите телефон целиком или номер заявки.';
    const nothing: LeadPage = { ...where, leads: [], empty, isFirst: true };
    const after = positionIn(req, req.body?.after);
    const page = phone === undefined ? nothing : await readPage(leads, { filter: { phone }, empty }, where, after);
    const heading = 'Поиск';
    const now = new Date();
    sendDeskPage(res, site, deskView({ desk: res.locals.desk, ...where, heading, lists: [page], content, now }));
  });

  return refusingOthers(router);
}
