import { localTime } from './working-hours.ts';

/** The start of a calendar date in a time zone, ISO 8601: `2026-11-20T00:00:00+03:00`. */
export function startOfDay(date: string, timeZone: string): string {
  return `${date}T00:00:00${offset(date, timeZone)}`;
}

/** The same as RSS has it (RFC 822 with the year in four digits): `Fri, 20 Nov 2026 00:00:00 +0300`. */
export function startOfDayRfc822(date: string, timeZone: string): string {
  const day = new Date(`${date}T00:00:00Z`).toUTCString().slice(0, 'Fri, 20 Nov 2026'.length);
  return `${day} 00:00:00 ${offset(date, timeZone).replace(':', '')}`;
}

/** By time zone and date: a page has few dates, and all pages together have the same ones. */
const offsets = new Map<string, string>();

/** `+03:00`, as it is at midnight UTC of that date. */
function offset(date: string, timeZone: string): string {
  const name = `${timeZone} ${date}`;
  const known = offsets.get(name) ?? findOffset(date, timeZone);
  offsets.set(name, known);
  return known;
}

function findOffset(date: string, timeZone: string): string {
  const midnight = new Date(`${date}T00:00:00Z`);
  const local = localTime(midnight, timeZone);
  const minutes = (Date.parse(`${local.date}T00:00:00Z`) - midnight.getTime()) / 60_000 + local.minutes;
  const two = (number: number) => String(Math.floor(Math.abs(number))).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}
