import { plural } from '../lib/plural.ts';

/** Days since arrival after which a lead is reduced to its evidence of consent, and then removed. */
export type Retention = { leads: number; consents: number };

/** A year, and three more for the evidence. */
export const defaultRetention: Retention = { leads: 365, consents: 4 * 365 + 1 };

/** `12 месяцев`, `4 года`, `400 дней`. Leap days do not count. */
export function daysInWords(days: number): string {
  const years = Math.floor(days / 365);
  const isWhole = years > 0 && days % 365 <= Math.ceil(years / 4);
  if (!isWhole) return `${days} ${plural(days, ['день', 'дня', 'дней'])}`;
  return years === 1 ? '12 месяцев' : `${years} ${plural(years, ['год', 'года', 'лет'])}`;
}
