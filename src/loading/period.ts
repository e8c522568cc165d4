import { daysAfter, localTime } from '../lib/calendar.ts';
import { startOfDay } from '../model/working-hours.ts';

/** When the same pages stay valid, at most a day; `until` is exclusive. */
type Period = { from: Date; until: Date };

type NextChange = (after: Date) => Date | undefined;

/**
 * Every machine gets the same period for any moment within it.
 *
 * @param timeZone IANA name
 */
export function periodOf(at: Date, timeZone: string, nextChange: NextChange): Period {
  const { date } = localTime(at, timeZone);
  const end = startOfDay(daysAfter(date, 1), timeZone);
  let from = startOfDay(date, timeZone);
  for (;;) {
    const until = nextChange(from);
    if (until === undefined || until >= end) return { from, until: end };
    if (until > at) return { from, until };
    from = until;
  }
}
