import type { CaseStudy } from '../model/content.ts';

export type Result = CaseStudy['results'][number];

export type Change = {
  /** `undefined` if the content does not say which direction is better, or nothing changed. */
  verdict?: 'better' | 'worse';
  /** Lengths in percent of the larger value; absent without numbers. */
  bars?: { before: number; after: number };
};

export function changeOf({ numbers, better }: Result): Change {
  if (!numbers) return {};
  const { before, after } = numbers;
  const most = Math.max(before, after);
  const share = (value: number) => (most === 0 ? 0 : Math.round((1000 * value) / most) / 10);
  const bars = { before: share(before), after: share(after) };
  if (!better || before === after) return { bars };
  return { bars, verdict: after > before === (better === 'more') ? 'better' : 'worse' };
}
