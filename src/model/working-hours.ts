import { daysAfter, localTime, weekdayOf, weekdays } from '../lib/calendar.ts';
import { minuteMs } from '../lib/durations.ts';
import { formatList, onDayFrom } from '../lib/format.ts';
import { plural } from '../lib/plural.ts';

/** `09:00` and `20:00` */
export type Span = readonly [from: string, until: string];

export type WorkingHours = {
  /** IANA name */
  timeZone: string;
  /** From Monday: spans in order, with breaks between them; none on a day off. */
  week: readonly (readonly Span[])[];
  holidays: readonly string[];
  /** Working minutes, in which visitors are called. */
  callWithin: number;
};

/** `в течение 10 минут` */
export function callWithinWords({ callWithin }: Pick<WorkingHours, 'callWithin'>): string {
  return `в течение ${callWithin} ${plural(callWithin, ['минуты', 'минут', 'минут'])}`;
}

/** `Пн–пт 9:00–13:00 и 14:00–20:00, сб 10:00–18:00, вс - выходной` */
export function hoursInWords(week: WorkingHours['week']): string {
  const inWords = (span: Span) => span.map((time) => time.replace(/^0/, '')).join('–');
  const shifts = week.map((spans) => formatList(spans.map(inWords)) || '- выходной');
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

type Shift = { date: string; from: string; begins: number; ends: number; isFirst: boolean };

/** Includes today's even if they are over; looks a year ahead. */
function* shiftsFrom(hours: WorkingHours, at: Date): Generator<Shift> {
  const today = localTime(at, hours.timeZone).date;
  for (let ahead = 0; ahead < 366; ahead += 1) {
    const date = daysAfter(today, ahead);
    for (const [index, [from, until]] of spansOn(hours, date).entries()) {
      const [begins = 0, ends = 0] = [from, until].map((time) => instant(date, time, hours.timeZone));
      yield { date, from, begins, ends, isFirst: index === 0 };
    }
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

/** When a working day next begins; the end of a break is none. @returns `undefined` without one within a year */
export function workdayAfter(hours: WorkingHours, at: Date): Date | undefined {
  for (const { begins, isFirst } of shiftsFrom(hours, at)) {
    if (isFirst && begins > at.getTime()) return new Date(begins);
  }
  return undefined;
}

/** Whether a working day begins at this instant. */
export function isWorkdayStart(hours: WorkingHours, at: Date): boolean {
  return workdayAfter(hours, new Date(at.getTime() - 1))?.getTime() === at.getTime();
}

/** The instant itself, or the next opening. Parameters as for `nextOpening`. */
export function workingFrom(hours: WorkingHours, at: Date, left = 0): Date | undefined {
  const opening = nextOpening(hours, at, left);
  if (opening === undefined) return undefined;
  return opening.open ? at : new Date(instant(opening.date, opening.from, hours.timeZone));
}

/** Late requests count from the next shift. */
export function callsFrom(hours: WorkingHours, receivedAt: Date): Date | undefined {
  return workingFrom(hours, receivedAt, hours.callWithin);
}

/** By when a visitor is called. */
export function callDue(hours: WorkingHours, receivedAt: Date): Date | undefined {
  const from = callsFrom(hours, receivedAt);
  return from && afterWorkingMinutes(hours, from, hours.callWithin);
}

/** «Позвоним в течение 10 минут», «Сейчас закрыто, позвоним завтра, 23 ноября, с 9:00» */
export function callPromise(hours: WorkingHours, at: Date): string {
  const opening = nextOpening(hours, at, hours.callWithin);
  if (opening?.open) return `Позвоним ${callWithinWords(hours)}`;
  const today = localTime(at, hours.timeZone).date;
  const day = opening && onDayFrom(today, opening.date);
  const time = opening ? `${day}, с ${opening.from.replace(/^0/, '')}` : 'в первый рабочий день';
  const ending = opening?.date === today ? 'Скоро перерыв' : 'Рабочий день заканчивается';
  return `${isOpen(hours, at) ? ending : 'Сейчас закрыто'}, позвоним ${time}`;
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

/** None on a day off. */
export function spansOn(hours: WorkingHours, date: string): readonly Span[] {
  return hours.holidays.includes(date) ? [] : (hours.week[weekdayOf(date)] ?? []);
}

export function isWorkday(hours: WorkingHours, date: string): boolean {
  return spansOn(hours, date).length > 0;
}

/** `20:00`; `undefined` on a day off */
export function closingTime(hours: WorkingHours, date: string): string | undefined {
  return spansOn(hours, date).at(-1)?.[1];
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
