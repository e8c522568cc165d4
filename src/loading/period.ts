import { daysAfter, localTime } from '../lib/calendar.ts';
import { instant } from '../model/working-hours.ts';

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
