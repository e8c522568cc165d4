import { localTime } from '../lib/calendar.ts';
import { instant } from '../model/working-hours.ts';

/** From when and until when the same pages hold; the end is not part of it, and may never come. */
export type Period = { from: Date; until: Date | undefined };

/** The next instant after the given one at which something changes; `undefined` if nothing ever does. */
export type NextChange = (after: Date) => Date | undefined;

/**
 * The period that a moment lies in. It begins no earlier than the day does, so that all machines that ask within it are
 * told the same.
 *
 * @param timeZone IANA time zone in which the day begins
 */
export function periodOf(at: Date, timeZone: string, nextChange: NextChange): Period {
  let from = new Date(instant(localTime(at, timeZone).date, '00:00', timeZone));
  for (;;) {
    const until = nextChange(from);
    if (until === undefined || until > at) return { from, until };
    from = until;
  }
}

/** Tells when the next of these days begins. @param dates calendar dates such as `2026-11-20` */
export function nextOfDays(dates: readonly string[], timeZone: string): NextChange {
  const days = [...new Set(dates)].sort();
  return (after) => {
    const today = localTime(after, timeZone).date;
    const next = days.find((day) => day > today);
    return next === undefined ? undefined : new Date(instant(next, '00:00', timeZone));
  };
}

/** Tells the earliest of several. */
export function firstOf(...changes: readonly NextChange[]): NextChange {
  return (after) => {
    const times = changes.flatMap((next) => next(after) ?? []);
    return times.length > 0 ? new Date(Math.min(...times.map(Number))) : undefined;
  };
}
