import { daysAfter, localTime } from '../lib/calendar.ts';
import { instant } from '../model/working-hours.ts';

/** From when and until when the same pages hold, at most a day; the end is not part of it. */
type Period = { from: Date; until: Date };

/** The next instant after the given one at which something changes; `undefined` if nothing does. */
type NextChange = (after: Date) => Date | undefined;

/**
 * The period that a moment lies in: from one change to the next, within a day. All machines that ask within it are told
 * the same.
 *
 * @param timeZone IANA time zone in which the day begins
 */
export function periodOf(at: Date, timeZone: string, nextChange: NextChange): Period {
  const { date } = localTime(at, timeZone);
  const midnight = (day: string) => new Date(instant(day, '00:00', timeZone));
  const end = midnight(daysAfter(date, 1));
  let from = midnight(date);
  for (;;) {
    const until = nextChange(from);
    if (until === undefined || until >= end) return { from, until: end };
    if (until > at) return { from, until };
    from = until;
  }
}
