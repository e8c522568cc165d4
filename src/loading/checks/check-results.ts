import { guillemets, type Problem } from '../problem.ts';
import { problemAt } from '../source.ts';
import type { CheckInput } from './rule.ts';

/**
 * `numbers` draw the bars, and `before` and `after` label them. Only their ratios are compared, because `numbers` may count
 * in another unit, such as hours for «1 ч 30 мин».
 */
export function* checkResults({ sources }: Pick<CheckInput, 'sources'>): Iterable<Problem> {
  for (const source of sources.case) {
    for (const [index, { before, after, numbers }] of source.value.results.entries()) {
      const [was, is] = [amountIn(before), amountIn(after)];
      if (numbers === undefined || was === undefined || is === undefined || was.unit !== is.unit) continue;
      if (isSame(was.number * numbers.after, is.number * numbers.before)) continue;
      const words = `${guillemets(before)} и ${guillemets(after)}`;
      const drawn = `${numbers.before} и ${numbers.after}`;
      const message = `Словами здесь ${words}, а полоски нарисованы по числам ${drawn}. Поправьте одно из двух.`;
      yield problemAt(source, ['results', index, 'numbers'], message, { warning: true });
    }
  }
}

/** @returns `undefined` unless it has exactly one number, and a word after it */
function amountIn(words: string): { number: number; unit: string } | undefined {
  const numbers = [...words.matchAll(/\d+(?:[\s\u00a0\u202f]\d{3})*(?:[.,]\d+)?/g)].map(([found]) => found);
  const [only = ''] = numbers;
  if (numbers.length !== 1) return undefined;
  // The first letters are those of «день» and «дня», and differ in «мин» and «мес».
  const unit = words
    .replace(only, '')
    .replace(/[^\p{L}%₽]/gu, '')
    .slice(0, 2)
    .toLowerCase();
  return { number: Number(only.replace(/[\s\u00a0\u202f]/g, '').replace(',', '.')), unit };
}

function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) <= 0.02 * Math.max(Math.abs(a), Math.abs(b));
}
