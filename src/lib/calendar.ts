/** In the order of `company.workingHours.week`. */
export const weekdays = ['пн', 'вт', 'ср', 'чт', 'пт', 'сб', 'вс'] as const;

/** `date` is `2026-11-20`, `minutes` count from midnight. */
export function localTime(at: Date, timeZone: string): { date: string; minutes: number } {
  const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);
  return { date: local.toPlainDate().toString(), minutes: local.hour * 60 + local.minute };
}

/** `2026-11-30`, 1 -> `2026-12-01` */
export function daysAfter(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}

/** Includes both. */
export function daysFrom(first: string, last: string): string[] {
  const days = [];
  for (let day = first; day <= last; day = daysAfter(day, 1)) days.push(day);
  return days;
}

/** Monday is 0. */
export function weekdayOf(date: string): number {
  return Temporal.PlainDate.from(date).dayOfWeek - 1;
}

/** `09:30` -> 570 */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** 570 -> `9:30` */
export function timeOf(minutes: number): string {
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}
