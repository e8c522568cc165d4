import { lazy } from '../lazy.ts';
import type { Company } from './content.ts';

export type WorkingHours = Company['workingHours'];

/** Section 9 of the specification: the form promises a call within so many minutes. */
export const callWithinMinutes = 10;

/** Monday first, as working hours have them. */
export const weekdays = ['пн', 'вт', 'ср', 'чт', 'пт', 'сб', 'вс'] as const;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** A format takes longer to make than to use, and there is one time zone for each company. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  clocks.set(timeZone, clock);
  return clock;
}

/** What calendar and clock show at an instant: `2026-11-20`, minutes since midnight. */
export function localTime(at: Date, timeZone: string): { date: string; minutes: number } {
  const parts = clockOf(timeZone).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? '';
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    minutes: Number(part('hour')) * 60 + Number(part('minute')),
  };
}

/** The calendar day so many days after another one, or before it if negative: `2026-11-30`, 1 -> `2026-12-01`. */
export function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** Monday is 0. */
export function weekdayOf(date: string): number {
  return (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
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
  for (let ahead = 0; ahead < 366; ahead += 1) {
    const date = daysAfter(now.date, ahead);
    const shift = shiftOn(hours, date);
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
  for (let ahead = 0; ahead < 366; ahead += 1) {
    const date = daysAfter(start.date, ahead);
    const shift = shiftOn(hours, date);
    if (!shift) continue;
    const [begins, ends] = shift.map((time) => instant(date, time, hours.timeZone)) as [number, number];
    const begun = Math.max(begins, from.getTime());
    if (begun + left <= ends) return new Date(begun + left);
    left -= Math.max(0, ends - begun);
  }
  return undefined;
}

/** From when until when people work on a calendar day, `09:00` and `20:00`; `null` on a day off. */
export function shiftOn(hours: WorkingHours, date: string): readonly [string, string] | null {
  return hours.holidays.includes(date) ? null : (hours.week[weekdayOf(date)] ?? null);
}

/**
 * Milliseconds since 1970 at a local time. Near a change of the clocks, the offset that holds then; a time that the
 * clocks leave out is as much later as they are put forward.
 */
export function instant(date: string, time: string, timeZone: string): number {
  const wanted = Date.parse(`${date}T${time}:00Z`);
  const shown = (at: number) => {
    const local = localTime(new Date(at), timeZone);
    return Date.parse(`${local.date}T00:00:00Z`) + local.minutes * minuteMs;
  };
  const guess = wanted - (shown(wanted) - wanted);
  const better = guess - (shown(guess) - wanted);
  return shown(better) === wanted ? better : Math.max(guess, better);
}
