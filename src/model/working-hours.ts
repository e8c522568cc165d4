import { daysAfter, localTime, weekdayOf, weekdays } from '../lib/calendar.ts';
import { minuteMs } from '../lib/durations.ts';
import { onDayFrom } from '../lib/format.ts';
import { plural } from '../lib/plural.ts';

export type WorkingHours = {
  /** IANA name */
  timeZone: string;
  /** From Monday: `09:00` and `20:00`; `null` on a day off. */
  week: readonly (readonly [string, string] | null)[];
  holidays: readonly string[];
  /** Working minutes, in which visitors are called. */
  callWithin: number;
};

/** `в течение 10 минут` */
export function callWithinWords({ callWithin }: Pick<WorkingHours, 'callWithin'>): string {
  return `в течение ${callWithin} ${plural(callWithin, ['минуты', 'минут', 'минут'])}`;
}

/** `Пн–пт 9:00–20:00, сб 10:00–18:00, вс - выходной` */
export function hoursInWords(week: WorkingHours['week']): string {
  const shifts = week.map((shift) => shift?.map((time) => time.replace(/^0/, '')).join('–') ?? '- выходной');
  const firsts = shifts.flatMap((shift, day) => (shift === shifts[day - 1] ? [] : [day]));
  const parts = firsts.map((first, index) => {
    const last = (firsts[index + 1] ?? week.length) - 1;
    const days = first === last ? weekdays[first] : `${weekdays[first]}–${weekdays[last]}`;
    return `${firsts.length === 1 ? 'ежедневно' : days} ${shifts[first]}`;
  });
  const words = parts.join(', ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

type Opening = { open: true } | { open: false; date: string; from: string };

type Shift = { date: string; from: string; begins: number; ends: number };

/** Includes today's even if it is over; looks a year ahead. */
function* shiftsFrom(hours: WorkingHours, at: Date): Generator<Shift> {
  const today = localTime(at, hours.timeZone).date;
  for (let ahead = 0; ahead < 366; ahead += 1) {
    const date = daysAfter(today, ahead);
    const shift = shiftOn(hours, date);
    if (!shift) continue;
    const [from, until] = shift;
    yield { date, from, begins: instant(date, from, hours.timeZone), ends: instant(date, until, hours.timeZone) };
  }
}

/**
 * @param left minutes needed before closing
 * @returns `undefined` without a shift within a year
 */
export function nextOpening(hours: WorkingHours, at: Date, left = 0): Opening | undefined {
  for (const { date, from, begins, ends } of shiftsFrom(hours, at)) {
    if (at.getTime() < begins) return { open: false, date, from };
    if (at.getTime() < ends - left * minuteMs) return { open: true };
  }
  return undefined;
}

export function isOpen(hours: WorkingHours, at: Date): boolean {
  return nextOpening(hours, at)?.open ?? false;
}

/** @returns `undefined` without a shift within a year */
export function openingAfter(hours: WorkingHours, at: Date): Date | undefined {
  for (const { begins } of shiftsFrom(hours, at)) {
    if (begins > at.getTime()) return new Date(begins);
  }
  return undefined;
}

/** Whether a shift begins at this instant. */
export function isOpening(hours: WorkingHours, at: Date): boolean {
  return openingAfter(hours, new Date(at.getTime() - 1))?.getTime() === at.getTime();
}

/**
 * Late requests count from the next shift.
 *
 * @returns `undefined` without a shift within a year
 */
export function callsFrom(hours: WorkingHours, receivedAt: Date): Date | undefined {
  const opening = nextOpening(hours, receivedAt, hours.callWithin);
  if (opening === undefined) return undefined;
  return opening.open ? receivedAt : new Date(instant(opening.date, opening.from, hours.timeZone));
}

/** By when a visitor is called. */
export function callDue(hours: WorkingHours, receivedAt: Date): Date | undefined {
  const from = callsFrom(hours, receivedAt);
  return from && new Date(from.getTime() + hours.callWithin * minuteMs);
}

/**
 * `в течение 10 минут` or `завтра, 23 ноября, с 9:00`
 *
 * @param now when the words are read
 */
export function callTime(hours: WorkingHours, receivedAt: Date, now = receivedAt): string {
  const opening = nextOpening(hours, receivedAt, hours.callWithin);
  if (opening === undefined) return 'в первый рабочий день';
  if (opening.open) return callWithinWords(hours);
  const { date } = localTime(now, hours.timeZone);
  return `${onDayFrom(date, opening.date).replaceAll('\u00A0', ' ')}, с ${opening.from.replace(/^0/, '')}`;
}

export function callPromise(hours: WorkingHours, at: Date): string {
  const time = callTime(hours, at);
  if (nextOpening(hours, at, hours.callWithin)?.open) return `Позвоним ${time}`;
  return `${isOpen(hours, at) ? 'Рабочий день заканчивается' : 'Сейчас закрыто'}, позвоним ${time}`;
}

/** @returns `undefined` beyond a year */
export function afterWorkingMinutes(hours: WorkingHours, from: Date, minutes: number): Date | undefined {
  let left = minutes * minuteMs;
  for (const { begins, ends } of shiftsFrom(hours, from)) {
    const begun = Math.max(begins, from.getTime());
    if (begun + left <= ends) return new Date(begun + left);
    left -= Math.max(0, ends - begun);
  }
  return undefined;
}

/** Milliseconds of working hours between two instants, of the first year. */
export function workingMs(hours: WorkingHours, from: Date, until: Date): number {
  let sum = 0;
  for (const { begins, ends } of shiftsFrom(hours, from)) {
    if (begins >= until.getTime()) break;
    sum += Math.max(0, Math.min(ends, until.getTime()) - Math.max(begins, from.getTime()));
  }
  return sum;
}

/** `09:00` and `20:00`; `null` on a day off. */
export function shiftOn(hours: WorkingHours, date: string): readonly [string, string] | null {
  return hours.holidays.includes(date) ? null : (hours.week[weekdayOf(date)] ?? null);
}

/** Midnight in the time zone. */
export function startOfDay(date: string, timeZone: string): Date {
  return new Date(instant(date, '00:00', timeZone));
}

/** Milliseconds since 1970; times skipped by a clock change move forward. */
export function instant(date: string, time: string, timeZone: string): number {
  return Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(timeZone, { disambiguation: 'later' })
    .epochMilliseconds;
}
