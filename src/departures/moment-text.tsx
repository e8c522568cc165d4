import { formatDay } from '../design/format.ts';
import { daysAfter } from '../lib/calendar.ts';
import type { Moment } from './departures.ts';

/** A day soon to come: `завтра, сб 21 ноября`. @param today the day on which it is read */
export function DayText({ date, today }: { date: string; today: string }) {
  return <time dateTime={date}>{dayFrom(today, date)}</time>;
}

/** A time soon to come: `завтра, сб 21 ноября, 17:00`. @param today the day on which it is read */
export function MomentText({ moment, today }: { moment: Moment; today: string }) {
  return (
    <time dateTime={moment.at}>
      {dayFrom(today, moment.date)}, {moment.time.replace(/^0/, '')}
    </time>
  );
}

function dayFrom(today: string, date: string): string {
  const day = formatDay(date);
  if (date === today) return `сегодня, ${day}`;
  return date === daysAfter(today, 1) ? `завтра, ${day}` : day;
}
