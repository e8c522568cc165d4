import { daysAfter, localTime, weekdayOf } from '../lib/calendar.ts';
import type { Content, Departure } from '../model/content.ts';
import { closingTime, instant, isWorkday, spansOn, startOfDay, type WorkingHours } from '../model/working-hours.ts';

/*
 * Trucks run on working days only. The cut-off is a time some working days earlier, at closing time at the latest. In a
 * break it is the beginning of the break; if work starts after it, it is the end of the previous working day. Unloading
 * on a day off moves to the next working day.
 */

/** Date and time are those of the company's zone; `at` is ISO 8601 in UTC. */
export type Moment = { date: string; time: string; at: string };

export type NearestDeparture = Omit<Departure, 'handOver' | 'departure' | 'unloading' | 'rates'> & {
  /** Goods that come later go with the next truck. */
  handOver: Moment;
  departure: Moment;
  unloading: { date: string; text: string };
};

const maxDaysAhead = 366;

/** Sorts by cut-off, and omits warehouses without a truck within a year. */
export function nearestDepartures(
  departures: readonly Departure[],
  hours: WorkingHours,
  at: Date,
): readonly NearestDeparture[] {
  return departures
    .flatMap((one) => nearest(one, hours, at) ?? [])
    .sort((a, b) => a.handOver.at.localeCompare(b.handOver.at));
}

/** @returns `undefined` for unknown warehouses, and without a truck within a year */
export function nearestDeparture(
  { departures, company, at }: Pick<Content, 'departures' | 'company' | 'at'>,
  warehouse: string,
): NearestDeparture | undefined {
  const departure = departures.find(({ id }) => id === warehouse);
  return departure && nearest(departure, company.workingHours, new Date(at));
}

/** They change at a cut-off, at closing time and at midnight. @returns `undefined` if there are no departures */
export function nextDepartureChange(departures: readonly Departure[], hours: WorkingHours, at: Date): Date | undefined {
  if (departures.length === 0) return undefined;
  const tomorrow = daysAfter(localTime(at, hours.timeZone).date, 1);
  const midnight = startOfDay(tomorrow, hours.timeZone).getTime();
  const [first] = nearestDepartures(departures, hours, at);
  const closing = closingOn(hours, localTime(at, hours.timeZone).date);
  const changes = [midnight, first ? Date.parse(first.handOver.at) : midnight, closing ?? midnight];
  return new Date(Math.min(...changes.filter((change) => change > at.getTime())));
}

/** The day on which goods can next be brought, which is today until closing time. */
export function receivingDay(hours: WorkingHours, at: Date): string | undefined {
  const today = localTime(at, hours.timeZone).date;
  const closing = closingOn(hours, today);
  return workingDay(hours, closing === undefined || closing > at.getTime() ? today : daysAfter(today, 1), 1);
}

/** Milliseconds since 1970; `undefined` on a day off. */
export function closingOn(hours: WorkingHours, date: string): number | undefined {
  const closes = closingTime(hours, date);
  return closes === undefined ? undefined : instant(date, closes, hours.timeZone);
}

function nearest({ rates: _, ...line }: Departure, hours: WorkingHours, at: Date): NearestDeparture | undefined {
  const today = localTime(at, hours.timeZone).date;
  for (let ahead = 0; ahead < maxDaysAhead; ahead += 1) {
    const date = daysAfter(today, ahead);
    if (!line.days.includes(weekdayOf(date)) || !isWorkday(hours, date)) continue;
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

/** @param date working day of the departure */
function lastHandOver(
  { handOver }: Pick<Departure, 'handOver'>,
  hours: WorkingHours,
  date: string,
): Moment | undefined {
  let day: string | undefined = date;
  for (let left = handOver.workingDaysBefore; left > 0 && day; left -= 1)
    day = workingDay(hours, daysAfter(day, -1), -1);
  if (!day) return undefined;
  const [, ends] = spansOn(hours, day).findLast(([begins]) => handOver.until > begins) ?? [];
  if (ends) return moment(day, handOver.until < ends ? handOver.until : ends, hours);
  const before = workingDay(hours, daysAfter(day, -1), -1);
  const closes = before && closingTime(hours, before);
  return before && closes ? moment(before, closes, hours) : undefined;
}

/** Begins with the day itself. @param step 1 to look forward, -1 to look back @returns `undefined` without one in a year */
export function workingDay(hours: WorkingHours, from: string, step: 1 | -1): string | undefined {
  for (let days = 0; days < maxDaysAhead; days += 1) {
    const date = daysAfter(from, days * step);
    if (isWorkday(hours, date)) return date;
  }
  return undefined;
}

function moment(date: string, time: string, { timeZone }: WorkingHours): Moment {
  return { date, time, at: new Date(instant(date, time, timeZone)).toISOString() };
}
