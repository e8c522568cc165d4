import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Router } from 'express';
import { HttpError } from '../../http/http-error.ts';
import { localTime } from '../../lib/calendar.ts';
import { cellPhrases } from '../messages/desk-phrases.ts';
import { leadsToCsv, rangeOf } from '../store/export.ts';
import type { DeskOptions } from './desk-session.ts';

/** `/desk/export`: leads as a table for Excel. */
export function serveExport(router: Router, { site: { content }, leads }: DeskOptions): void {
  const { timeZone } = content.company.workingHours;
  router.route('/desk/export').get(async (req, res) => {
    const days = { from: String(req.query.from ?? '').trim(), to: String(req.query.to ?? '').trim() };
    const read = rangeOf(days, timeZone);
    if ('wrong' in read) throw new HttpError(422, 'Unprocessable Content', { explanation: wrongDays });
    res.locals.log.info({ by: res.locals.desk.name, ...days }, 'leads exported');
    const now = new Date();
    const last = days.to || localTime(now, timeZone).date;
    res.attachment(`${['zayavki', days.from, last].filter(Boolean).join('-')}.csv`);
    res.set('Content-Type', 'text/csv; charset=utf-8');
    try {
      const table = leadsToCsv(leads.all(read.range), { timeZone, phrases: cellPhrases(content, now) });
      await pipeline(Readable.from(table), res);
    } catch (error) {
      // A cancelled download is no error.
      if (!(Error.isError(error) && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE')) throw error;
    }
  });
}

const wrongDays =
  'Проверьте дни таблицы: у каждого нужны день, месяц и год, и последний не раньше первого. Вернитесь назад и исправьте.';
