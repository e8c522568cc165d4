import { daysAfter, daysFrom } from '../lib/calendar.ts';
import type { Content } from '../model/content.ts';
import { isWorkday } from '../model/working-hours.ts';
import type { Calculation } from './calculation.ts';
import { closingOn, type NearestDeparture, nearestDeparture, receivingDay, workingDay } from './departures.ts';

/** Days are written `2026-11-23`. */
export type TermDays = {
  /** The last day on which the goods can arrive without moving the other dates. */
  brought: string;
  /** The last working day of the preparation. */
  ready: string;
  leaves: string;
  delivered: string;
  daysOff: readonly string[];
};

export type Term = TermDays & { departure: NearestDeparture };

/**
 * The worst case: preparation takes as long as it may, and the truck is the next one after it.
 *
 * @returns `undefined` if nothing is delivered, if the total leaves something out, or if the order is larger than any with
 *   a promised term
 */
export function termOf(
  content: Pick<Content, 'calculator' | 'departures' | 'company' | 'at'>,
  { order: { warehouse, units, days }, perUnit }: Pick<Calculation, 'order' | 'perUnit'>,
): Term | undefined {
  const { preparation } = content.calculator;
  const hours = content.company.workingHours;
  const brought = receivingDay(hours, new Date(content.at));
  if (warehouse === undefined || brought === undefined) return undefined;
  if (units > preparation.units || perUnit === undefined) return undefined;
  const stored = daysAfter(brought, days);
  let ready: string | undefined = brought;
  for (let left = preparation.days; left > 0 && ready; left -= 1) ready = workingDay(hours, daysAfter(ready, 1), 1);
  if (ready && stored > ready) ready = workingDay(hours, stored, 1);
  const closing = ready && closingOn(hours, ready);
  if (!ready || !closing) return undefined;
  const at = new Date(closing).toISOString();
  const departure = nearestDeparture({ ...content, at }, warehouse);
  if (!departure) return undefined;
  const delivered = departure.unloading.date;
  return {
    brought,
    ready,
    departure,
    leaves: departure.departure.date,
    delivered,
    daysOff: daysFrom(brought, delivered).filter((day) => !isWorkday(hours, day)),
  };
}

/** The part that is kept with a request. */
export function daysOf({ brought, ready, leaves, delivered, daysOff }: Term): TermDays {
  return { brought, ready, leaves, delivered, daysOff };
}
