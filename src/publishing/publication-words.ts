import { localTime, timeOf } from '../lib/calendar.ts';
import { formatDate, formatMoment } from '../lib/format.ts';

/** `сегодня в 14:05`, `20 ноября 2026 г. в 13:05`; with the year, because a clock may have been wrong */
export function formatRecentMoment(instant: string, now: Date, timeZone: string): string {
  const { date, minutes } = localTime(new Date(instant), timeZone);
  return isToday(date, now, timeZone) ? `сегодня в ${timeOf(minutes)}` : formatMoment(instant, timeZone);
}

/** `с 14:05`, `с 13:05 20 ноября 2026 г.` */
export function formatSince(instant: string, now: Date, timeZone: string): string {
  const { date, minutes } = localTime(new Date(instant), timeZone);
  return `с ${timeOf(minutes)}${isToday(date, now, timeZone) ? '' : ` ${formatDate(date)}`}`;
}

function isToday(date: string, now: Date, timeZone: string): boolean {
  return date === localTime(now, timeZone).date;
}
