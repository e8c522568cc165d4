import type { Content } from '../model/content.ts';
import { type Kind, type SearchDocument, sentences, textOf } from './documents.ts';
import { excerpt, type Marked, mark } from './excerpt.ts';
import { indexOf } from './index-of.ts';
import { understand, wordsLike } from './query.ts';
import { rank } from './ranking.ts';

/** Unknown words for which others are proposed. */
const unknownHelped = 2;

/** A found page as a list shows it. */
export type Result = { path: string; kind: Kind; title: Marked; excerpt: Marked };

export type SearchResults = {
  /** Numbers of documents, best first. */
  found: readonly number[];
  /** Whether no page has all of the words, so that these have most of them. */
  partial: boolean;
  /** Words that the site does not have, with those that were looked for in their place. */
  corrected: readonly { typed: string; instead: string }[];
  /** Words that the site does not have, nor any like them. */
  unknown: readonly string[];
  /** If nothing was found, words of the site that begin as the unknown ones do. */
  nearest: readonly string[];
  document(number: number): SearchDocument;
  /** How a list shows a found document. */
  show(document: SearchDocument): Result;
};

/**
 * Finds pages by the words of a query, in any form, misspelt, or typed with the wrong keyboard. Pure: the same content
 * and query give the same results.
 */
export function search(content: Content, query: string): SearchResults {
  // The page without a query is prerendered, which needs no index.
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

/** Of a long query, a page need not have every word. */
function enoughOf(words: number): number {
  return words <= 2 ? words : Math.ceil((words * 2) / 3);
}
