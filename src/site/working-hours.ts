import { lazy } from '../lazy.ts';
import type { Company } from './content.ts';

type WorkingHours = Company['workingHours'];

/** Section 9 of the specification: the form promises a call within so many minutes. */
export const callWithinMinutes = 10;

/** A local calendar day: `2026-11-20`, Monday is 0, minutes since midnight. */
type LocalTime = { date: string; weekday: number; minutes: number };

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

function localTime(at: Date, timeZone: string): LocalTime {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? '';
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    weekday: weekdays.indexOf(part('weekday')),
    minutes: Number(part('hour')) * 60 + Number(part('minute')),
  };
}

/** Calendar date of an instant where the time zone is, `2026-11-20`. */
export function localDate(at: Date, timeZone: string): string {
  return localTime(at, timeZone).date;
}

/** `09:30` -> 570 */
function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** When work goes on: now, or from the start of a later day. */
export type Opening = { open: true } | { open: false; date: string; from: string };

/**
 * Whether people are at work at an instant, and if not, when they start next.
 *
 * @returns `undefined` if no working day comes within a year
 */
export function nextOpening(hours: WorkingHours, at: Date): Opening | undefined {
  const now = localTime(at, hours.timeZone);
  const today = Date.parse(`${now.date}T00:00:00Z`);
  for (let ahead = 0; ahead < 366; ahead += 1) {
    const date = new Date(today + ahead * dayMs).toISOString().slice(0, 10);
    const shift = shiftOn(hours, date, (now.weekday + ahead) % 7);
    if (!shift) continue;
    const [from, until] = shift;
    if (ahead > 0 || now.minutes < minutesOf(from)) return { open: false, date, from };
    if (now.minutes < minutesOf(until)) return { open: true };
  }
  return undefined;
}

const dayFormat = lazy(
  () => new Intl.DateTimeFormat('ru-RU', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }),
);

/** What the visitor is promised for a request received at an instant; outside working hours, the truth. */
export function callPromise(hours: WorkingHours, receivedAt: Date): string {
  const opening = nextOpening(hours, receivedAt);
  if (opening?.open) return `Перезвоним в течение ${callWithinMinutes} минут.`;
  if (opening === undefined) return 'Перезвоним, как только выйдем на работу.';
  const day = dayFormat().format(new Date(`${opening.date}T00:00:00Z`));
  return `Сейчас мы не работаем. Перезвоним в течение ${callWithinMinutes} минут после начала рабочего дня: ${day}, ${opening.from}.`;
}

/**
 * When so many minutes of work have passed since an instant.
 *
 * @returns `undefined` if that does not happen within a year
 */
export function afterWorkingMinutes(hours: WorkingHours, from: Date, minutes: number): Date | undefined {
  let left = minutes * minuteMs;
  const start = localTime(from, hours.timeZone);
  const today = Date.parse(`${start.date}T00:00:00Z`);
  for (let ahead = 0; ahead < 366; ahead += 1) {
    const date = new Date(today + ahead * dayMs).toISOString().slice(0, 10);
    const shift = shiftOn(hours, date, (start.weekday + ahead) % 7);
    if (!shift) continue;
    const [begins, ends] = shift.map((time) => instant(date, time, hours.timeZone)) as [number, number];
    const begun = Math.max(begins, from.getTime());
    if (begun + left <= ends) return new Date(begun + left);
    left -= Math.max(0, ends - begun);
  }
  return undefined;
}

function shiftOn(hours: WorkingHours, date: string, weekday: number): readonly [string, string] | null {
  return hours.holidays.includes(date) ? null : (hours.week[weekday] ?? null);
}

/** Milliseconds since 1970 at a local time. Near a change of the clocks, the offset that holds then. */
export function instant(date: string, time: string, timeZone: string): number {
  const wanted = Date.parse(`${date}T${time}:00Z`);
  const shown = (at: number) => {
    const local = localTime(new Date(at), timeZone);
    return Date.parse(`${local.date}T00:00:00Z`) + local.minutes * minuteMs;
  };
  const guess = wanted - (shown(wanted) - wanted);
  return guess - (shown(guess) - wanted);
}
