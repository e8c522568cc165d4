import { daysAfter, weekdayOf, weekdays } from '../../lib/calendar.ts';
import { formatDay } from '../../lib/format.ts';
import type { Moment } from '../../pricing/departures.ts';

/** `пн 23` within a week of `after`, else `пн 7 декабря`. */
export function DayText({ date, after }: { date: string; after: string }) {
  return <time dateTime={date}>{dayFrom(after, date)}</time>;
}

/** `пн 23, 17:00` */
export function MomentText({ moment, after }: { moment: Moment; after: string }) {
  return (
    <time dateTime={moment.at}>
      {dayFrom(after, moment.date)}, {moment.time.replace(/^0/, '')}
    </time>
  );
}

function dayFrom(start: string, date: string): string {
  return date < daysAfter(start, 7) ? `${weekdays[weekdayOf(date)]}\u00A0${Number(date.slice(-2))}` : formatDay(date);
}
