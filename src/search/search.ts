import type { Content } from '../model/content.ts';
import { type Kind, type SearchDocument, sentences, textOf } from './documents.ts';
import { excerpt, type Marked, mark } from './excerpt.ts';
import { indexOf } from './index-of.ts';
import { understand, wordsLike } from './query.ts';
import { rank } from './ranking.ts';

/** Limit of unknown words with suggestions. */
const unknownHelped = 2;

export type Result = { path: string; kind: Kind; title: Marked; excerpt: Marked };

export type SearchResults = {
  /** Positions in `documents`, best first. */
  found: readonly number[];
  /** No page has all of the words. */
  partial: boolean;
  /** Unknown words and their replacements. */
  corrected: readonly { typed: string; instead: string }[];
  /** Unknown words without a replacement. */
  unknown: readonly string[];
  /** Suggestions when nothing was found. */
  nearest: readonly string[];
  document(number: number): SearchDocument;
  show(document: SearchDocument): Result;
};

/** Handles inflections, misspellings and the wrong keyboard layout. Pure. */
export function search(content: Content, query: string): SearchResults {
  // Spares building the index for the prerendered page.
  if (query === '') return nothing;
  const index = indexOf(content);
  const words = understand(index, query);
  const understood = words.filter(({ matches }) => matches.length > 0);
  const unknown = words.filter(({ matches }) => matches.length === 0).map(({ typed }) => typed);
  const helped = unknown.slice(0, unknownHelped);
  const { found, most } = rank(index, understood, enoughOf(understood.length));
  return {
    found,
    partial: most < understood.length,
    corrected: understood.flatMap(({ typed, instead }) => (instead === undefined ? [] : [{ typed, instead }])),
    unknown,
    nearest: found.length > 0 ? [] : [...new Set(helped.flatMap((word) => wordsLike(index, word)))],
    document: (number) => index.documents[number] ?? notFound(),
    show(document) {
      const { path, kind, title, summary } = document;
      const number = index.documents.indexOf(document);
      const terms = new Set(understood.flatMap(({ matches }) => matches.find(({ id }) => id === number)?.terms ?? []));
      const text = sentences([summary, textOf(document)]);
      return { path, kind, title: mark(title, terms, index.tokens), excerpt: excerpt(text, terms, index.tokens) };
    },
  };
}

const nothing: SearchResults = {
  found: [],
  partial: false,
  corrected: [],
  unknown: [],
  nearest: [],
  document: notFound,
  show: notFound,
};

function notFound(): never {
  throw new Error('Nothing was found, so nothing can be shown.');
}

/** Pages need two thirds of the words of a long query. */
function enoughOf(words: number): number {
  return words <= 2 ? words : Math.ceil((words * 2) / 3);
}
