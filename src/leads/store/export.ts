import Papa from 'papaparse';
import * as z from 'zod';
import { daysAfter, localTime, timeOf } from '../../lib/calendar.ts';
import { instant } from '../../model/working-hours.ts';
import { billText } from '../../services/bill.ts';
import { type Lead, leadTitles, type Note, type Range } from './lead.ts';

/** Days as people name them, `2026-11-20`, both included; empty for no bound. */
export type Days = { from: string; to: string };

/** Of a millennium in which every tool knows what a day is. */
const day = z.union([z.literal(''), z.iso.date().startsWith('2')]);

/** What came on some days. `wrong`: which of them is none; `to` is also one that comes before `from`. */
export function rangeOf({ from, to }: Days, timeZone: string): { range: Range } | { wrong: (keyof Days)[] } {
  const wrong = (['from', 'to'] as const).filter((bound) => !day.safeParse({ from, to }[bound]).success);
  if (wrong.length === 0 && from && to && to < from) wrong.push('to');
  if (wrong.length > 0) return { wrong };
  const midnight = (date: string) => new Date(instant(date, '00:00', timeZone)).toISOString();
  return { range: { ...(from && { since: midnight(from) }), ...(to && { until: midnight(daysAfter(to, 1)) }) } };
}

const columns = Object.keys(leadTitles) as (keyof Lead)[];

/** How people read a table who are no programmers. */
type Desk = {
  /** Of their clock. */
  timeZone: string;
  /** Cells that would hold names of the program, in their words. */
  words(lead: Lead): Partial<Record<keyof Lead, string>>;
};

/**
 * Leads as CSV by RFC 4180, a line at a time: UTF-8 with the mark by which Excel knows it, a header, CRLF.
 * No cell is run by a spreadsheet; what could be has an apostrophe put before it, so for the exact words
 * take the JSON lines.
 *
 * @param desk for people: titles and separators as Excel set to Russian has them
 */
export async function* leadsToCsv(leads: AsyncIterable<Lead>, desk?: Desk): AsyncGenerator<string> {
  const delimiter = desk ? ';' : ',';
  const moment = (instant: string) => (desk ? localMoment(instant, desk.timeZone) : instant);
  const toLine = (cells: readonly string[]) => `${Papa.unparse([[...cells]], { delimiter })}\r\n`;
  yield `\ufeff${toLine(columns.map((column) => (desk ? leadTitles[column] : column)))}`;
  for await (const lead of leads) {
    const { attribution } = lead;
    const cells = {
      ...lead,
      receivedAt: moment(lead.receivedAt),
      takenAt: lead.takenAt && moment(lead.takenAt),
      attribution: Object.keys(attribution).length > 0 ? JSON.stringify(attribution) : '',
      calculation: lead.calculation && billText(lead.calculation),
      signals: lead.signals.join(' '),
      notes: lead.notes.map((note) => noteLine(note, moment)).join('\n'),
      ...desk?.words(lead),
    };
    yield toLine(
      columns.map((column) => {
        const value = String(cells[column] ?? '');
        return column === 'phone' && isPhone.test(value) ? value : textCell(value, cellStarts[delimiter]);
      }),
    );
  }
}

function noteLine({ at, by, text }: Note, moment: (instant: string) => string): string {
  return `${moment(at)} ${by}: ${text}`;
}

/** `20.11.2026 9:30`, which a spreadsheet set to Russian takes for a date. */
function localMoment(instant: string, timeZone: string): string {
  const { date, minutes } = localTime(new Date(instant), timeZone);
  return `${date.split('-').reverse().join('.')} ${timeOf(minutes)}`;
}

/**
 * By the delimiter: a spreadsheet runs a cell that begins with one of `= + - @`, blanks and full-width forms included.
 * Excel set to Russian splits lines at semicolons and takes a quote inside a line for a letter, so that a cell of its
 * making may begin after any semicolon, tab or line break. What splits at commas does so where semicolons delimit.
 */
const cellStarts = {
  ',': /(^|[;\t\r\n])[\s\p{C}";]*([=+\-@＝＋－＠﹢﹣﹦﹫−]?)/gu,
  ';': /(^|[,;\t\r\n])[\s\p{C}",;]*([=+\-@＝＋－＠﹢﹣﹦﹫−]?)/gu,
};

function textCell(value: string, cellStart: RegExp): string {
  const text = value.replace(cellStart, (start, _, formula) =>
    formula ? `${start.slice(0, -formula.length)}'${formula}` : start,
  );
  return /^[\t\r\n]/.test(text) ? `'${text}` : text;
}

/** In E.164 there is nothing to run: `+79161234567` is at most read as a number. Programs that dial it need it bare. */
const isPhone = /^\+[1-9]\d{6,14}$/;

/** Leads as JSON lines, each field as it is in the store. */
export async function* leadsToJsonLines(leads: AsyncIterable<Lead> | Iterable<Lead>): AsyncGenerator<string> {
  for await (const lead of leads) yield `${JSON.stringify(lead)}\n`;
}
