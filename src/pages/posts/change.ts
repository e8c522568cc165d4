import type { CaseStudy } from '../../model/content.ts';

export type CaseResult = CaseStudy['results'][number];

export type MetricChange = {
  /** The content says which direction is better. */
  isWorse: boolean;
  /** Percent of the larger value; absent without numbers. */
  bars?: { before: number; after: number };
};

export function changeOf({ numbers, better }: CaseResult): MetricChange {
  if (!numbers) return { isWorse: false };
  const { before, after } = numbers;
  const most = Math.max(before, after);
  const share = (value: number) => (most === 0 ? 0 : Math.round((1000 * value) / most) / 10);
  const isWorse = better === 'more' ? after < before : better === 'less' && after > before;
  return { isWorse, bars: { before: share(before), after: share(after) } };
}
