import { amountOf, areComparable } from '../model/amount.ts';
import type { CaseStudy } from '../model/content.ts';

export type Result = CaseStudy['results'][number];

export type Change = {
  /** By the direction that the content says is better. */
  isWorse: boolean;
  /** Lengths in percent of the larger value; absent if the values are not comparable numbers. */
  bars?: { before: number; after: number };
};

export function changeOf({ before, after, better }: Result): Change {
  const [was, is] = [amountOf(before), amountOf(after)];
  if (!was || !is || !areComparable(was, is)) return { isWorse: false };
  const most = Math.max(was.value, is.value);
  const share = (value: number) => (most === 0 ? 0 : Math.round((1000 * value) / most) / 10);
  const isWorse = better === 'more' ? is.value < was.value : better === 'less' && is.value > was.value;
  return { isWorse, bars: { before: share(was.value), after: share(is.value) } };
}
