import { localTime } from '../lib/calendar.ts';
import type { Rates } from '../model/content.ts';
import type { Source } from './source.ts';
import type { Sources } from './sources.ts';

type Dated = Pick<Sources, 'rates' | 'nextRates' | 'company'>;

/**
 * The list in force, then the one that waits. A list that another one has replaced is left out.
 *
 * A revision published by an earlier release may have no list for today; its first one is in force.
 */
export function priceLists({ rates, nextRates, company }: Dated, at: Date): Source<Rates>[] {
  const today = localTime(at, company[0]?.value.workingHours.timeZone ?? 'UTC').date;
  const all = [...rates, ...nextRates].toSorted((a, b) => a.value.effective.localeCompare(b.value.effective));
  const inForce = all.findLastIndex(({ value }) => value.effective <= today);
  return all.slice(Math.max(0, inForce));
}
