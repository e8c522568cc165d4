import Papa from 'papaparse';
import { duration, pad, printable, table } from '../../lib/table.ts';
import { shorten } from '../../lib/tidy.ts';
import type { DeliveryRecord, Lead } from './lead.ts';
import { cellsOf, columns } from './lead-columns.ts';

/**
 * Leads as CSV by RFC 4180, a line at a time: UTF-8 with the mark by which Excel knows it, a header, CRLF.
 * No cell is run by a spreadsheet; what could be has an apostrophe put before it, so for the exact words
 * take the JSON lines.
 */
export async function* leadsToCsv(leads: AsyncIterable<Lead>): AsyncGenerator<string> {
  yield `\ufeff${toLine(columns)}`;
  for await (const lead of leads) {
    const { attribution } = lead;
    const cells = {
      ...cellsOf(lead),
      attribution: Object.keys(attribution).length > 0 ? JSON.stringify(attribution) : '',
      signals: lead.signals.join(' '),
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

/** In E.164 there is nothing to run: `+79161234567` is at most read as a number. Programs that dial it need it bare. */
function phoneCell(phone: string): string {
  return /^\+[1-9]\d{6,14}$/.test(phone) ? phone : textCell(phone);
}

/** Leads as JSON lines, each field as it is in the store. */
export async function* leadsToJsonLines(leads: AsyncIterable<Lead>): AsyncGenerator<string> {
  for await (const lead of leads) yield `${JSON.stringify(lead)}\n`;
}

/**
 * Leads as a table for a terminal: one line each, long texts cut; empty if there are none.
 *
 * @param now leads that are not taken show how long they have waited
 * @param undelivered channels that were given up on, by the number of the lead
 */
export function leadTable(
  leads: readonly Lead[],
  now: Date,
  undelivered: ReadonlyMap<number, readonly string[]> = new Map(),
): string {
  if (leads.length === 0) return '';
  const head = ['№', 'received', 'state', 'preset', 'phone', 'name', 'message'];
  return table([
    undelivered.size > 0 ? [...head.slice(0, 3), 'not delivered', ...head.slice(3)] : head,
    ...leads.map((lead) => [
      String(lead.number),
      minute(lead.receivedAt),
      stateOf(lead, now),
      ...(undelivered.size > 0 ? [(undelivered.get(lead.number) ?? []).join(' ')] : []),
      lead.preset,
      lead.phone,
      shorten(lead.name ?? '', 24),
      shorten(lead.message ?? '', 40),
    ]),
  ]);
}

function stateOf({ state, signals, receivedAt }: Lead, now: Date): string {
  const since = state === 'new' ? ` for ${duration(now.getTime() - Date.parse(receivedAt))}` : '';
  return signals.length > 0 ? `${state}${since}: ${signals.join(' ')}` : state + since;
}

/** Deliveries of one lead as a table for a terminal; empty if there are none. */
export function deliveryTable(deliveries: readonly DeliveryRecord[]): string {
  if (deliveries.length === 0) return '';
  return table([
    ['channel', 'reason', 'state', 'attempts', 'next or last', 'error'],
    ...deliveries.map(({ channel, reason, state, attempts, at, error }) => [
      channel,
      reason,
      state,
      String(attempts),
      minute(at),
      error ?? '',
    ]),
  ]);
}

function minute(instant: string): string {
  return `${instant.slice(0, 16).replace('T', ' ')}Z`;
}

/** One lead, a field a line; the calculation and the message last, because they have lines of their own. */
export function leadDetails(lead: Lead): string {
  const { message, calculation, attribution, consent, signals, ...plain } = lead;
  const fields = {
    ...plain,
    attribution: new URLSearchParams(attribution).toString(),
    consent: `${consent.version} ${consent.hash}`,
    signals: signals.join(' '),
  };
  const lines = Object.entries(fields).map(([name, value]) => `${pad(name, 12)}${printable(String(value ?? ''))}`);
  const indented = (text: string | null) => (text ?? '').split('\n').map((line) => `  ${printable(line)}`);
  const counted = calculation === null ? [] : ['calculation', ...indented(calculation)];
  return `${[...lines, ...counted, 'message', ...indented(message)].map((line) => line.trimEnd()).join('\n')}\n`;
}
