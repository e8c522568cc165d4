import { formatDay } from '../design/format.ts';
import { daysAfter, weekdayOf, weekdays } from '../lib/calendar.ts';
import type { Moment } from './departures.ts';

/** `завтра, сб 21 ноября` */
export function DayText({ date, today }: { date: string; today: string }) {
  return <time dateTime={date}>{dayFrom(today, date)}</time>;
}

/** `завтра, сб 21 ноября, 17:00` */
export function MomentText({ moment, today }: { moment: Moment; today: string }) {
  return (
    <time dateTime={moment.at}>
      {dayFrom(today, moment.date)}, {moment.time.replace(/^0/, '')}
    </time>
  );
}

/** `пн 23` within a week of `after`, else `пн 7 декабря`. */
export function ShortDayText({ date, after }: { date: string; after: string }) {
  return <time dateTime={date}>{shortDayFrom(after, date)}</time>;
}

/** `пн 23, 17:00` */
export function ShortMomentText({ moment, after }: { moment: Moment; after: string }) {
  return (
    <time dateTime={moment.at}>
      {shortDayFrom(after, moment.date)}, {moment.time.replace(/^0/, '')}
    </time>
  );
}

function shortDayFrom(start: string, date: string): string {
  return date < daysAfter(start, 7) ? `${weekdays[weekdayOf(date)]}\u00A0${Number(date.slice(-2))}` : formatDay(date);
}

function dayFrom(today: string, date: string): string {
  const day = formatDay(date);
  if (date === today) return `сегодня, ${day}`;
  return date === daysAfter(today, 1) ? `завтра, ${day}` : day;
}
