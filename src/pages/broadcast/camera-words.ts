import { localTime, minutesOf, timeOf } from '../../lib/calendar.ts';
import { onDayFrom } from '../../lib/format.ts';
import { closingTime, nextOpening, type WorkingHours } from '../../model/working-hours.ts';

/**
 * When the camera comes on, without a full stop. It is on until closing time.
 *
 * @param from `08:00`
 */
export function cameraWords(hours: WorkingHours, from: string, now: Date): string {
  const { date, minutes } = localTime(now, hours.timeZone);
  const start = timeOf(minutesOf(from));
  const closes = closingTime(hours, date);
  if (closes && minutes < minutesOf(from)) return `Сегодня включим в\u00A0${start}`;
  if (closes && minutes < minutesOf(closes)) {
    return `Камера должна была включиться в\u00A0${start}. Включим, как только сможем`;
  }
  const today = closes ? 'На сегодня всё' : 'Сегодня выходной';
  const next = nextOpening(hours, now);
  return next?.open === false ? `${today}. Включим ${onDayFrom(date, next.date)}, в\u00A0${start}` : today;
}
