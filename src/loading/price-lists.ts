import { localTime } from '../lib/calendar.ts';
import type { Rates } from '../model/content.ts';
import type { Source } from './source.ts';
import type { Sources } from './sources.ts';

type Dated = Pick<Sources, 'rates' | 'nextRates' | 'company'>;

/**
 * The list in force, then the one that waits. A list that another one has replaced is left out.
 *
 * Without a list for today, the first one counts; `check` reports that.
 */
export function priceLists({ rates, nextRates, company }: Dated, at: Date): Source<Rates>[] {
  const today = companyDay({ company }, at);
  const all = [...rates, ...nextRates].toSorted((a, b) => a.value.effective.localeCompare(b.value.effective));
  const inForce = all.findLastIndex(({ value }) => value.effective <= today);
  return all.slice(Math.max(0, inForce));
}

/** In the company's time zone. */
export function companyDay({ company: [company] }: Pick<Dated, 'company'>, at: Date): string {
  return localTime(at, company?.value.workingHours.timeZone ?? 'UTC').date;
}
