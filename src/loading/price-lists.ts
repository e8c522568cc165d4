import { localTime } from '../lib/calendar.ts';
import type { Rates } from '../model/content.ts';
import { daysOf, priceListOn } from '../pricing/price-list.ts';
import type { Sources } from './sources.ts';

/**
 * The list in force, then those of later days; none while a file cannot be read.
 *
 * Without a price for today, the first day counts; `check` reports that.
 */
export function priceLists(sources: Pick<Sources, 'rates' | 'prices' | 'company'>, at: Date): Rates[] {
  const {
    rates: [texts],
    prices: [table],
  } = sources;
  if (!texts || !table) return [];
  const today = companyDay(sources, at);
  const days = daysOf(table.value);
  const inForce = days.findLastIndex((day) => day <= today);
  return days.slice(Math.max(0, inForce)).map((day) => priceListOn(texts.value, table.value, day));
}

/** In the company's time zone. */
export function companyDay({ company: [company] }: Pick<Sources, 'company'>, at: Date): string {
  return localTime(at, company?.value.workingHours.timeZone ?? 'UTC').date;
}
