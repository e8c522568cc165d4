import { distance } from 'fastest-levenshtein';
import type { QueryCombination, SearchResult } from 'minisearch';
import type { SearchIndex } from './index-of.ts';
import { retyped, transliterated } from './spelling.ts';
import { isNumber, isStopWord, rootOf, type Word, wordOf, wordsOf } from './words.ts';

export type QueryWord = {
  typed: string;
  /** Empty if nothing in the index resembles the word. */
  matches: readonly SearchResult[];
  /** The word searched for instead of an unknown one. */
  instead?: string;
  /** `instead` was found by edit distance. */
  guessed?: boolean;
};

/** Limits, because each word costs time, and unknown words the most. */
const charactersRead = 100;
const wordsRead = 5;
const wordsGuessed = 3;

/** Unknown words cost the most time. */
const likeness = 0.5;

/** Minimum length of a shared root, and maximum length of the ending after it. */
const shortestRoot = 4;
const longestEnding = 3;

/** Number of corrections tried, and maximum length of a word to correct. */
const guessesTaken = 3;
const longestGuessed = 30;

/**
 * Each word matches itself, words with its root or prefix, or else the nearest terms. Stop words are skipped unless
 * there are no other words.
 */
export function understand(index: SearchIndex, query: string): QueryWord[] {
  const joined = query.slice(0, charactersRead).replace(/(?<=\d)\s(?=\d{3}(?!\d))/g, '');
  const parts = [...new Set(joined.split(/\s+/))];
  const telling = (word: Word) => !isStopWord(word.plain);
  const wanted = parts.some((part) => wordsOf(part).some(telling)) ? telling : () => true;
  const understood = new Map<string, QueryWord>();
  let guesses = wordsGuessed;
  for (const part of parts) {
    if (understood.size >= wordsRead) break;
    const words = wordsOf(part).filter((word) => wanted(word) && !understood.has(word.plain));
    const own = words.slice(0, wordsRead - understood.size).map((word) => asTyped(index, word));
    const read = mend(index, part, own, guesses);
    guesses -= read.filter(({ guessed }) => guessed).length;
    for (const one of read) understood.set(one.typed, one);
  }
  return [...understood.values()];
}

/** Words with the longest common prefix. */
export function wordsLike(index: SearchIndex, typed: string): string[] {
  for (let length = Math.min(typed.length - 1, longestGuessed); length >= 3; length--) {
    const found = frequencies(index.miniSearch.search(typed.slice(0, length), { prefix: true }));
    const commonest = [...found].sort(([, a], [, b]) => b - a).slice(0, 3);
    if (commonest.length > 0) return commonest.flatMap(([term]) => index.words.get(term) ?? []);
  }
  return [];
}

/**
 * Corrects the keyboard layout, the spelling, or both.
 *
 * @param part text between spaces
 * @param guesses limit of further corrections
 */
function mend(index: SearchIndex, part: string, own: readonly QueryWord[], guesses: number): readonly QueryWord[] {
  const unknown = own.filter((one) => !isKnown(one)).length;
  if (unknown === 0) return own;
  const otherKeyboard = wordsOf(retyped(part)).slice(0, wordsRead);
  const rightly = otherKeyboard.map((word) => {
    return { typed: retyped(word.plain), matches: find(index, [word]), instead: word.plain };
  });
  if (rightly.length > 0 && rightly.every(isKnown)) return rightly;
  if (unknown > guesses) return own;
  const mended = own.map((one) => (isKnown(one) ? one : misspelt(index, one.typed, wordOf(one.typed))));
  if (mended.some(isKnown)) return mended;
  const wrongly = otherKeyboard.slice(0, 1).map((word) => misspelt(index, part, word));
  return wrongly.some(isKnown) ? wrongly : mended;
}

function isKnown({ matches }: QueryWord): boolean {
  return matches.length > 0;
}

/** Latin words are tried in Russian, too, because addresses are transliterated. */
function asTyped(index: SearchIndex, word: Word): QueryWord {
  const russian = inRussian(word);
  const matches = find(index, russian ? [word, russian] : [word]);
  const isKnownAsTyped = matches.some(({ queryTerms }) => queryTerms.includes(word.term));
  return { typed: word.plain, matches, instead: isKnownAsTyped ? undefined : russian?.plain };
}

function inRussian({ plain }: Word): Word | undefined {
  return /[a-z]/.test(plain) ? wordOf(transliterated(plain)) : undefined;
}

function misspelt(index: SearchIndex, typed: string, word: Word): QueryWord {
  const russian = inRussian(word);
  const ofRussian = russian ? termsLike(index, russian) : [];
  const terms = ofRussian.length > 0 ? ofRussian : termsLike(index, word);
  const matches = index.miniSearch.search({ queries: terms, combineWith: 'OR' });
  return { typed, matches, instead: index.words.get(terms[0] ?? ''), guessed: true };
}

function find(index: SearchIndex, words: readonly Word[]): SearchResult[] {
  return index.miniSearch.search({ queries: words.map((word) => queryFor(index, word)), combineWith: 'OR' });
}

function queryFor(index: SearchIndex, { plain, term }: Word): QueryCombination {
  if (isNumber(plain) || term.length < 3) return { queries: [term] };
  const root = rootOf(term);
  // Three letters are a prefix only if they are not a word themselves.
  const isBeginning = plain.length > 3 || !index.words.has(term);
  return {
    queries: [root],
    prefix: true,
    boostDocument(_document, found) {
      if (found === term) return 1;
      const sameRoot = root.length >= shortestRoot && found.length <= root.length + longestEnding;
      return sameRoot || (isBeginning && found.startsWith(plain)) ? likeness : 0;
    },
  };
}

function termsLike(index: SearchIndex, { plain, term }: Word): string[] {
  const allowed = mistakesIn(plain);
  if (allowed === 0) return [];
  const swapped = swaps(plain).filter((one) => index.words.has(one));
  if (swapped.length > 0) return swapped;
  const nearest = nearestTerms(index, term, allowed);
  // A misspelling may look like an inflection, which stemming removed.
  return nearest.length > 0 || plain === term ? nearest : nearestTerms(index, plain, allowed);
}

function nearestTerms(index: SearchIndex, written: string, fuzzy: number): string[] {
  const near = [...frequencies(index.miniSearch.search(written, { fuzzy }))]
    // Never corrects a word to a number or a stop word.
    .filter(([term]) => term.length >= 3 && !isNumber(term) && !isStopWord(term))
    .map(([term, frequency]) => {
      return { term, frequency, mistakes: distance(term, written), asBegun: Number(term[0] === written[0]) };
    })
    .sort((a, b) => a.mistakes - b.mistakes || b.asBegun - a.asBegun || b.frequency - a.frequency);
  const nearest = near.filter(({ mistakes }) => mistakes === near[0]?.mistakes);
  return nearest.slice(0, guessesTaken).map(({ term }) => term);
}

/** Allowed edit distance. */
function mistakesIn({ length }: string): number {
  if (length < 4 || length > longestGuessed) return 0;
  return length < 8 ? 1 : 2;
}

/** Terms after swapping two neighbouring letters, the commonest error but one. */
function swaps(plain: string): string[] {
  return Array.from({ length: plain.length - 1 }, (_, at) => {
    return wordOf(plain.slice(0, at) + plain.charAt(at + 1) + plain.charAt(at) + plain.slice(at + 2)).term;
  });
}

/** How many documents have each term. */
function frequencies(results: readonly SearchResult[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of results.flatMap(({ terms }) => terms)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
