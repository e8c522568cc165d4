import { localTime, timeOf } from '../../lib/calendar.ts';
import { onDayFrom } from '../../lib/format.ts';
import type { Company } from '../../model/content.ts';
import { callDue } from '../../model/working-hours.ts';
import type { Lead } from '../store/lead.ts';
import { lastChange } from '../store/lead-events.ts';

type PromisedCall = {
  /** The call before was not answered. */
  again: boolean;
  /** «сегодня до 10:15 (Москва)», «в понедельник, 23 ноября, после 10:15 (Москва)» */
  time: string;
  isOver: boolean;
};

/** What the visitor of a waiting lead reads, for the receipt and for staff. */
export function promisedCall(
  { since, events }: Pick<Lead, 'since' | 'events'>,
  { workingHours, address }: Pick<Company, 'workingHours' | 'address'>,
  now: Date,
): PromisedCall {
  const again = lastChange({ events })?.eventName === 'missed';
  const at = again ? new Date(since) : callDue(workingHours, new Date(since));
  if (at === undefined) return { again, time: 'в первый рабочий день', isOver: false };
  const { date, minutes } = localTime(at, workingHours.timeZone);
  const today = localTime(now, workingHours.timeZone).date;
  const day = date === today ? 'сегодня' : `${onDayFrom(today, date)},`;
  const time = `${day} ${again ? 'после' : 'до'}\u00A0${timeOf(minutes)} (${address.locality})`;
  return { again, time, isOver: now > at };
}
