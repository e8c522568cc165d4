import { daysAfter, localTime, weekdayOf } from '../lib/calendar.ts';
import type { Content, Departure } from '../model/content.ts';
import { instant, shiftOn, type WorkingHours } from '../model/working-hours.ts';

/*
 * When trucks leave, and until when goods for them are taken. Handing over,
 * leaving and unloading all happen on working days of the company:
 *
 * - A truck whose weekday is a day off does not run.
 * - Goods are taken until a time of day, so many working days before. Where work
 *   ends earlier on that day, they are taken until then; where it begins only
 *   later, until the end of the working day before.
 * - An unloading that would fall on a day off moves to the next working day.
 */

/** A time by the company's clock: `2026-11-20`, `17:00`, and the same as ISO 8601 in UTC. */
export type Moment = { date: string; time: string; at: string };

/** The next truck to a warehouse for which goods are still taken. */
export type NearestDeparture = Omit<Departure, 'handOver' | 'departure' | 'unloading'> & {
  /** From this moment on, goods have to wait for the next truck. */
  handOver: Moment;
  departure: Moment;
  /** The day, and in words the time of it. */
  unloading: { date: string; text: string };
};

/** Days that are looked through; a truck that does not run within a year does not run. */
const horizon = 366;

/**
 * The nearest departure to each warehouse at an instant, those whose goods are due first first. A warehouse to which
 * nothing runs within a year is left out.
 */
export function nearestDepartures(
  departures: readonly Departure[],
  hours: WorkingHours,
  at: Date,
): readonly NearestDeparture[] {
  return departures
    .flatMap((one) => nearest(one, hours, at) ?? [])
    .sort((a, b) => a.handOver.at.localeCompare(b.handOver.at));
}

/**
 * The nearest departure to one warehouse at the moment that pages are made for.
 *
 * @param warehouse what the ids of its rates begin with, such as `koledino`
 * @returns `undefined` if there is no such warehouse, or nothing runs there within a year
 */
export function nearestDeparture(
  { departures, company, at }: Pick<Content, 'departures' | 'company' | 'at'>,
  warehouse: string,
): NearestDeparture | undefined {
  const departure = departures.find(({ id }) => id === warehouse);
  return departure && nearest(departure, company.workingHours, new Date(at));
}

/**
 * The first instant after another one at which what is told about departures differs: goods are no longer taken for
 * one of them, or another day has begun, so that what was tomorrow is today.
 *
 * @returns `undefined` if there are no departures to tell about
 */
export function nextDepartureChange(departures: readonly Departure[], hours: WorkingHours, at: Date): Date | undefined {
  if (departures.length === 0) return undefined;
  const tomorrow = daysAfter(localTime(at, hours.timeZone).date, 1);
  const midnight = instant(tomorrow, '00:00', hours.timeZone);
  const [first] = nearestDepartures(departures, hours, at);
  return new Date(first ? Math.min(midnight, Date.parse(first.handOver.at)) : midnight);
}

function nearest(line: Departure, hours: WorkingHours, at: Date): NearestDeparture | undefined {
  const today = localTime(at, hours.timeZone).date;
  for (let ahead = 0; ahead < horizon; ahead += 1) {
    const date = daysAfter(today, ahead);
    if (!line.days.includes(weekdayOf(date)) || !shiftOn(hours, date)) continue;
    const handOver = lastHandOver(line, hours, date);
    if (!handOver || Date.parse(handOver.at) <= at.getTime()) continue;
    const arrival = daysAfter(date, line.unloading.daysAfter);
    return {
      ...line,
      handOver,
      departure: moment(date, line.departure, hours),
      unloading: { date: workingDay(hours, arrival, 1) ?? arrival, text: line.unloading.text },
    };
  }
  return undefined;
}

/** @param date a working day, on which the truck leaves */
function lastHandOver({ handOver }: Departure, hours: WorkingHours, date: string): Moment | undefined {
  let day: string | undefined = date;
  for (let left = handOver.workingDaysBefore; left > 0 && day; left -= 1)
    day = workingDay(hours, daysAfter(day, -1), -1);
  const shift = day && shiftOn(hours, day);
  if (!day || !shift) return undefined;
  const [begins, ends] = shift;
  if (handOver.until > begins) return moment(day, handOver.until < ends ? handOver.until : ends, hours);
  const before = workingDay(hours, daysAfter(day, -1), -1);
  const last = before && shiftOn(hours, before);
  return before && last ? moment(before, last[1], hours) : undefined;
}

/** The working day nearest to a day, itself included. @param step 1 to look forward, -1 to look back */
function workingDay(hours: WorkingHours, from: string, step: 1 | -1): string | undefined {
  for (let days = 0; days < horizon; days += 1) {
    const date = daysAfter(from, days * step);
    if (shiftOn(hours, date)) return date;
  }
  return undefined;
}

function moment(date: string, time: string, { timeZone }: WorkingHours): Moment {
  return { date, time, at: new Date(instant(date, time, timeZone)).toISOString() };
}
