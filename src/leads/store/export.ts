import Papa from 'papaparse';
import * as z from 'zod';
import { daysAfter, localTime, timeOf } from '../../lib/calendar.ts';
import { phonePattern } from '../../lib/phone.ts';
import { startOfDay } from '../../model/working-hours.ts';
import { billText } from '../../pricing/bill.ts';
import { type Lead, leadTitles, type Range } from './lead.ts';
import type { LeadEvent } from './lead-events.ts';

/** Inclusive days such as `2026-11-20`; empty means unbounded. */
export type Days = { from: string; to: string };

/** From 2000 on, which every tool can read. */
const day = z.union([z.literal(''), z.iso.date().startsWith('2')]);

/** @returns the invalid bounds if any; a `to` before `from` is invalid */
export function rangeOf({ from, to }: Days, timeZone: string): { range: Range } | { wrong: (keyof Days)[] } {
  const wrong = (['from', 'to'] as const).filter((bound) => !day.safeParse({ from, to }[bound]).success);
  if (wrong.length === 0 && from && to && to < from) wrong.push('to');
  if (wrong.length > 0) return { wrong };
  const midnight = (date: string) => startOfDay(date, timeZone).toISOString();
  return { range: { ...(from && { since: midnight(from) }), ...(to && { until: midnight(daysAfter(to, 1)) }) } };
}

const columns = Object.keys(leadTitles) as (keyof Lead)[];

export type ExcelDialect = {
  timeZone: string;
  /** Readable texts for cells with internal names. */
  phrases(lead: Lead, moment: (instant: string) => string): Partial<Record<keyof Lead, string>>;
};

/**
 * RFC 4180 in UTF-8 with a BOM for Excel. An apostrophe disarms cells that a spreadsheet would run as formulas, so only
 * JSON has the exact text.
 *
 * @param dialect titles and separators as in Russian Excel
 */
export async function* leadsToCsv(leads: AsyncIterable<Lead>, dialect?: ExcelDialect): AsyncGenerator<string> {
  const delimiter = dialect ? ';' : ',';
  const moment = (instant: string) => (dialect ? localMoment(instant, dialect.timeZone) : instant);
  const toLine = (cells: readonly string[]) => `${Papa.unparse([[...cells]], { delimiter })}\r\n`;
  yield `\ufeff${toLine(columns.map((column) => (dialect ? leadTitles[column] : column)))}`;
  for await (const lead of leads) {
    const { attribution } = lead;
    const cells = {
      ...lead,
      receivedAt: moment(lead.receivedAt),
      since: moment(lead.since),
      takenAt: lead.takenAt && moment(lead.takenAt),
      attribution: Object.keys(attribution).length > 0 ? JSON.stringify(attribution) : '',
      calculation: lead.calculation && billText(lead.calculation),
      signals: lead.signals.join(' '),
      events: lead.events.map((event) => eventLine(event, moment)).join('\n'),
      ...dialect?.phrases(lead, moment),
    };
    yield toLine(
      columns.map((column) => {
        const value = String(cells[column] ?? '');
        // Programs that dial a phone need it without an apostrophe.
        return column === 'phone' && phonePattern.test(value) ? value : value.replace(formulaStart, "'$&");
      }),
    );
  }
}

function eventLine({ at, by, eventName, text }: LeadEvent, moment: (instant: string) => string): string {
  return `${moment(at)} ${by}: ${[eventName, text].filter(Boolean).join(' ')}`;
}

/** `20.11.2026 9:30`, which Russian spreadsheets read as a date. */
function localMoment(instant: string, timeZone: string): string {
  const { date, minutes } = localTime(new Date(instant), timeZone);
  return `${date.split('-').reverse().join('.')} ${timeOf(minutes)}`;
}

/**
 * OWASP's rule: spreadsheets run cells that begin with `= + - @`, also in full width. A cell may begin after any separator,
 * because Russian Excel splits at semicolons even inside quotes.
 */
const formulaStart = /^(?=[\t\r\n])|[=+\-@＝＋－＠﹢﹣﹦﹫−](?<=(?:^|[,;\t\r\n])[\s\p{C}",;]*.)/gu;

export async function* leadsToJsonLines(leads: AsyncIterable<Lead> | Iterable<Lead>): AsyncGenerator<string> {
  for await (const lead of leads) yield `${JSON.stringify(lead)}\n`;
}
