import Papa from 'papaparse';
import type { Lead } from './lead.ts';

const columns = [
  'number',
  'state',
  'receivedAt',
  'preset',
  'name',
  'phone',
  'phoneTyped',
  'message',
  'page',
  'attribution',
  'consentVersion',
  'consentHash',
  'signals',
  'receipt',
] as const;

/**
 * Leads as CSV by RFC 4180, a line at a time: UTF-8 with the mark by which Excel knows it, a header, CRLF.
 * No cell is run by a spreadsheet; what could be has an apostrophe put before it, so for the exact words
 * take the JSON lines.
 */
export async function* leadsToCsv(leads: AsyncIterable<Lead>): AsyncGenerator<string> {
  yield `\ufeff${toLine(columns)}`;
  for await (const lead of leads) {
    const { consent, attribution, signals, ...plain } = lead;
    const cells: Record<(typeof columns)[number], string | number | null> = {
      ...plain,
      attribution: Object.keys(attribution).length > 0 ? JSON.stringify(attribution) : '',
      consentVersion: consent.version,
      consentHash: consent.hash,
      signals: signals.join(' '),
    };
    yield toLine(columns.map((column) => (column === 'phone' ? phoneCell(lead.phone) : textCell(cells[column]))));
  }
}

function toLine(cells: readonly (string | number)[]): string {
  return `${Papa.unparse([[...cells]])}\r\n`;
}

/**
 * A spreadsheet runs a cell that begins with one of `= + - @`, blanks and full-width forms included. Excel
 * set to Russian splits lines at semicolons and takes a quote inside a line for a letter, so that a cell of its
 * making may begin after any semicolon, tab or line break.
 */
const cellStart = /(^|[;\t\r\n])[\s\p{C}";]*([=+\-@＝＋－＠﹢﹣﹦﹫−]?)/gu;

function textCell(value: string | number | null): string {
  const text = String(value ?? '').replace(cellStart, (start, _, formula) =>
    formula ? `${start.slice(0, -formula.length)}'${formula}` : start,
  );
  return /^[\t\r\n]/.test(text) ? `'${text}` : text;
}

/** In E.164 there is nothing to run: `+79161234567` is at most read as a number. Whatever dials it needs it bare. */
function phoneCell(phone: string): string {
  return /^\+[1-9]\d{6,14}$/.test(phone) ? phone : textCell(phone);
}

/** Leads as JSON lines, each field as it is in the store. */
export async function* leadsToJsonLines(leads: AsyncIterable<Lead>): AsyncGenerator<string> {
  for await (const lead of leads) yield `${JSON.stringify(lead)}\n`;
}

/** Leads as a table for a terminal: one line each, long texts cut; empty if there are none. */
export function leadTable(leads: readonly Lead[]): string {
  if (leads.length === 0) return '';
  const rows = [
    ['№', 'received', 'state', 'preset', 'phone', 'name', 'message'],
    ...leads.map((lead) => [
      String(lead.number),
      `${lead.receivedAt.slice(0, 16).replace('T', ' ')}Z`,
      lead.signals.length > 0 ? `${lead.state}: ${lead.signals.join(' ')}` : lead.state,
      lead.preset,
      lead.phone,
      shorten(lead.name ?? '', 24),
      shorten(lead.message ?? '', 40),
    ]),
  ].map((row) => row.map(printable));
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => width(row[column] ?? '')))) ?? [];
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => pad(cell, widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** One lead, a field a line; the message last, because it may have lines of its own. */
export function leadDetails(lead: Lead): string {
  const { message, attribution, consent, signals, ...plain } = lead;
  const fields = {
    ...plain,
    attribution: new URLSearchParams(attribution).toString(),
    consent: `${consent.version} ${consent.hash}`,
    signals: signals.join(' '),
  };
  const lines = Object.entries(fields).map(([name, value]) => `${pad(name, 12)}${printable(String(value ?? ''))}`);
  const words = (message ?? '').split('\n').map((line) => `  ${printable(line)}`);
  return `${[...lines, 'message', ...words].map((line) => line.trimEnd()).join('\n')}\n`;
}

/** Whatever may lie in the database, it gives the terminal no orders. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ');
}

function shorten(text: string, limit: number): string {
  const all = [...text];
  return all.length <= limit ? text : `${all.slice(0, limit - 1).join('')}…`;
}

function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - width(text)));
}

const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

/** Columns that a terminal gives the text. */
function width(text: string): number {
  let columns = 0;
  for (const character of text) {
    if (/[\p{M}\p{Default_Ignorable_Code_Point}]/u.test(character)) continue;
    columns += wide.test(character) ? 2 : 1;
  }
  return columns;
}
