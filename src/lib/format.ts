import { daysAfter, weekdayOf, weekdays } from './calendar.ts';
import { lazy } from './lazy.ts';

/** Lazy, because the first Intl format costs 20 ms and several megabytes. */
const formats = lazy(() => ({
  date: new Intl.DateTimeFormat('ru-RU', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }),
  day: new Intl.DateTimeFormat('ru-RU', { day: 'numeric', month: 'long', timeZone: 'UTC' }),
  number: new Intl.NumberFormat('ru-RU', { maximumFractionDigits: 3 }),
  exact: new Intl.NumberFormat('ru-RU', { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  list: new Intl.ListFormat('ru'),
}));

/** `2026-11-20` -> `20 ноября 2026 г.` */
export function formatDate(date: string): string {
  return formats().date.format(new Date(`${date}T00:00:00Z`));
}

/** `2026-11-20` -> `20 ноября` */
export function formatDayOfMonth(date: string): string {
  return formats().day.format(new Date(`${date}T00:00:00Z`));
}

/** `2026-11-20` -> `пт 20 ноября` */
export function formatDay(date: string): string {
  return `${weekdays[weekdayOf(date)]} ${formatDayOfMonth(date)}`;
}

const namesOfWeekdays = ['понедельник', 'вторник', 'среда', 'четверг', 'пятница', 'суббота', 'воскресенье'];

/** `2026-11-24` -> `вторник` */
export function nameOfWeekday(date: string): string {
  return namesOfWeekdays[weekdayOf(date)] ?? '';
}

const onWeekdays = ['в понедельник', 'во вторник', 'в среду', 'в четверг', 'в пятницу', 'в субботу', 'в воскресенье'];

/** `2026-11-24` -> `во вторник, 24 ноября` */
export function onDay(date: string): string {
  return `${onWeekdays[weekdayOf(date)]}, ${formatDayOfMonth(date)}`;
}

/** `сегодня, 23 ноября`, `завтра, 24 ноября` or `в среду, 25 ноября`. The date stays right if the page is read later. */
export function onDayFrom(today: string, date: string): string {
  const near = [today, daysAfter(today, 1)].indexOf(date);
  return near === -1 ? onDay(date) : `${near === 0 ? 'сегодня' : 'завтра'}, ${formatDayOfMonth(date)}`;
}

/** `10000` -> `10 000`, with a no-break space; `0.35` -> `0,35` */
export function formatCount(count: number): string {
  return formats().number.format(count);
}

/** Kopecks -> `1 250 ₽` or `12,50 ₽`, with no-break spaces */
export function formatPrice(kopecks: number): string {
  const { number, exact } = formats();
  const format = kopecks % 100 === 0 ? number : exact;
  return `${format.format(kopecks / 100)}\u00A0₽`;
}

/** `PT3M20S` -> `3 мин 20 с`, with no-break spaces */
export function formatDuration(duration: string): string {
  const [, hours, minutes, seconds] = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(duration) ?? [];
  return [hours && `${hours}\u00A0ч`, minutes && `${minutes}\u00A0мин`, seconds && `${seconds}\u00A0с`]
    .filter(Boolean)
    .join('\u00A0');
}

/** «а, б и в» */
export function formatList(words: readonly string[]): string {
  return formats().list.format(words);
}

/** `20 ноября 2026 г. в 13:05`. */
export function formatMoment(instant: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('ru-RU', { dateStyle: 'long', timeStyle: 'short', timeZone });
  return format.format(new Date(instant)).replace(/(?<= )0(?=\d:)/, '');
}
