import { distance } from 'fastest-levenshtein';
import type { QueryCombination, SearchResult } from 'minisearch';
import type { SearchIndex } from './index-of.ts';
import { retyped, transliterated } from './spelling.ts';
import { isNumber, isStopWord, rootOf, type Word, wordOf, wordsOf } from './words.ts';

/** A word of a query, as the index understands it. */
export type QueryWord = {
  typed: string;
  /** Documents that have it, or what stands for it; none if nothing in the index is like it. */
  matches: readonly SearchResult[];
  /** The word that was taken instead of the typed one, if there is no such word. */
  instead?: string;
  /** Whether those most like it were taken instead. */
  guessed?: boolean;
};

/** What is read of a query: visitors need no more, and each word costs time, unknown ones the most. */
const charactersRead = 100;
const wordsRead = 5;
const wordsGuessed = 3;

/** How well a term of the same root or beginning stands for a word. */
const likeness = 0.5;

/** Letters of a root that words can share, and letters that they may have after it. */
const shortestRoot = 4;
const longestEnding = 3;

/** Terms that a misspelt word may stand for, and letters that it has at most. */
const guessesTaken = 3;
const longestGuessed = 30;

/**
 * The words of a query, each with what it finds: itself, words of its root, words that begin with it, or the words
 * most like it if there is none. Words that say nothing are left out, unless there are no others.
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

/** Words that share the most letters with the beginning of an unknown one. */
export function wordsLike(index: SearchIndex, typed: string): string[] {
  for (let length = Math.min(typed.length - 1, longestGuessed); length >= 3; length--) {
    const found = frequencies(index.miniSearch.search(typed.slice(0, length), { prefix: true }));
    const commonest = [...found].sort(([, a], [, b]) => b - a).slice(0, 3);
    if (commonest.length > 0) return commonest.flatMap(([term]) => index.words.get(term) ?? []);
  }
  return [];
}

/**
 * Reads what stands between two blanks, mostly a word, as mistyped: with the wrong keyboard, or misspelt, or both.
 *
 * @param guesses words that may still be taken for misspelt ones
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

/** A word as it is, and, since addresses have Russian words in Latin letters, as a Russian one, too. */
function asTyped(index: SearchIndex, word: Word): QueryWord {
  const russian = inRussian(word);
  const matches = find(index, russian ? [word, russian] : [word]);
  const isKnownAsTyped = matches.some(({ queryTerms }) => queryTerms.includes(word.term));
  return { typed: word.plain, matches, instead: isKnownAsTyped ? undefined : russian?.plain };
}

function inRussian({ plain }: Word): Word | undefined {
  return /[a-z]/.test(plain) ? wordOf(transliterated(plain)) : undefined;
}

/** What was typed, taken for the terms that are most like a word. */
function misspelt(index: SearchIndex, typed: string, word: Word): QueryWord {
  const russian = inRussian(word);
  const ofRussian = russian ? termsLike(index, russian) : [];
  const terms = ofRussian.length > 0 ? ofRussian : termsLike(index, word);
  const matches = index.miniSearch.search({ queries: terms, combineWith: 'OR' });
  return { typed, matches, instead: index.words.get(terms[0] ?? ''), guessed: true };
}

/** Documents with one of the words, or with words of its root, or with words that begin with it. */
function find(index: SearchIndex, words: readonly Word[]): SearchResult[] {
  return index.miniSearch.search({ queries: words.map((word) => queryFor(index, word)), combineWith: 'OR' });
}

function queryFor(index: SearchIndex, { plain, term }: Word): QueryCombination {
  if (isNumber(plain) || term.length < 3) return { queries: [term] };
  const root = rootOf(term);
  // Three letters begin many words, so they are taken for a beginning only if they are no word.
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

/** The terms that differ least from a word that is none. */
function termsLike(index: SearchIndex, { plain, term }: Word): string[] {
  const allowed = mistakesIn(plain);
  if (allowed === 0) return [];
  const swapped = swaps(plain).filter((one) => index.words.has(one));
  if (swapped.length > 0) return swapped;
  const nearest = nearestTerms(index, term, allowed);
  // A mistake may make the end of a term look like an ending.
  return nearest.length > 0 || plain === term ? nearest : nearestTerms(index, plain, allowed);
}

function nearestTerms(index: SearchIndex, written: string, fuzzy: number): string[] {
  const near = [...frequencies(index.miniSearch.search(written, { fuzzy }))]
    // Visitors meant to search for neither a number nor a word that says nothing.
    .filter(([term]) => term.length >= 3 && !isNumber(term) && !isStopWord(term))
    .map(([term, frequency]) => {
      return { term, frequency, mistakes: distance(term, written), asBegun: Number(term[0] === written[0]) };
    })
    .sort((a, b) => a.mistakes - b.mistakes || b.asBegun - a.asBegun || b.frequency - a.frequency);
  const nearest = near.filter(({ mistakes }) => mistakes === near[0]?.mistakes);
  return nearest.slice(0, guessesTaken).map(({ term }) => term);
}

/** Mistakes that a word of so many letters is forgiven. */
function mistakesIn({ length }: string): number {
  if (length < 4 || length > longestGuessed) return 0;
  return length < 8 ? 1 : 2;
}

/** Terms of the word with two neighbouring letters in each other's place: the commonest slip but a wrong letter. */
function swaps(plain: string): string[] {
  return Array.from({ length: plain.length - 1 }, (_, at) => {
    return wordOf(plain.slice(0, at) + plain.charAt(at + 1) + plain.charAt(at) + plain.slice(at + 2)).term;
  });
}

/** The terms by which documents were found, each with how many documents have it. */
function frequencies(results: readonly SearchResult[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of results.flatMap(({ terms }) => terms)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
