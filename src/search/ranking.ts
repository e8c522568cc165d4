import type { Kind } from './documents.ts';
import type { SearchIndex } from './index-of.ts';
import type { QueryWord } from './query.ts';

/** For «упаковка» the service should rank above an article that mentions it. */
const boosts: Readonly<Record<Kind, number>> = {
  service: 1.5,
  section: 1.2,
  rates: 1.1,
  departures: 1.1,
  question: 1,
  case: 0.9,
  article: 1,
  news: 0.8,
  legal: 0.6,
};

export type Ranked = {
  /** Positions in `documents`, best first. */
  found: readonly number[];
  /** The largest number of words in one document. */
  most: number;
};

/** @param enough words that a document must have; if none has as many, the largest number found */
export function rank({ documents }: SearchIndex, words: readonly QueryWord[], enough: number): Ranked {
  const scores = documents.map(() => 0);
  const counts = documents.map(() => 0);
  for (const { matches } of words) {
    for (const { id, score, queryTerms } of matches) {
      // Undoes MiniSearch's factor, because these terms all stand for one word.
      scores[id] = (scores[id] ?? 0) + score / queryTerms.length;
      counts[id] = (counts[id] ?? 0) + 1;
    }
  }
  const most = Math.max(0, ...counts);
  const needed = Math.max(1, Math.min(enough, most));
  const found = documents
    .map(({ kind }, number) => ({ number, words: counts[number] ?? 0, score: (scores[number] ?? 0) * boosts[kind] }))
    .filter((one) => one.words >= needed)
    .sort((a, b) => b.score - a.score);
  return { found: found.map(({ number }) => number), most };
}
