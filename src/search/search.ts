import type { Content } from '../model/content.ts';
import type { Kind, SearchDocument } from './documents.ts';
import { excerpt, type Marked, mark } from './excerpt.ts';
import { type InvertedIndex, rank, termsFrom } from './inverted-index.ts';
import { understand } from './meaning.ts';
import { searcherOf } from './searcher.ts';
import { sentences } from './sentences.ts';

/** A found page as a list shows it. */
export type Result = { path: string; kind: Kind; title: Marked; excerpt: Marked };

export type SearchResults = {
  /** Best first. */
  found: readonly SearchDocument[];
  /** Whether no page has all of the words, so that these have most of them. */
  partial: boolean;
  /** Words that the site does not have, with those that were looked for in their place. */
  corrected: readonly { typed: string; instead: string }[];
  /** Words that the site does not have, nor any like them. */
  unknown: readonly string[];
  /** Words of the site that begin as the unknown ones do. */
  nearest: readonly string[];
  /** How a list shows a found page. */
  show(document: SearchDocument): Result;
};

/**
 * Finds pages by the words of a query, in any form, misspelt, or typed with the wrong keyboard. Pure: the same content
 * and query give the same results.
 */
export function search(content: Content, query: string): SearchResults {
  // The page without a query is prerendered, which needs no index.
  if (query === '') return nothing;
  const { documents, index, tokens } = searcherOf(content);
  const words = understand(index, query);
  const understood = words.filter(({ meaning }) => meaning.size > 0);
  const unknown = words.filter(({ meaning }) => meaning.size === 0).map(({ typed }) => typed);
  const meanings = understood.map(({ meaning }) => meaning);
  const { documents: found, most } = rank(index, meanings, enoughOf(meanings.length));
  const terms = new Set(meanings.flatMap((meaning) => [...meaning.keys()]));
  return {
    found: found.flatMap((one) => documents[one] ?? []),
    partial: most < understood.length,
    corrected: understood.flatMap(({ typed, instead }) => (instead === undefined ? [] : [{ typed, instead }])),
    unknown,
    nearest: [...new Set(unknown.flatMap((word) => wordsLike(index, word)))].slice(0, 5),
    show: ({ path, kind, title, summary, text }) => ({
      path,
      kind,
      title: mark(title, terms, tokens),
      excerpt: excerpt(sentences([summary, text()]), terms, tokens),
    }),
  };
}

const nothing: SearchResults = {
  found: [],
  partial: false,
  corrected: [],
  unknown: [],
  nearest: [],
  show({ path }) {
    throw new Error(`${path} was not found, so it cannot be shown.`);
  },
};

/** Of a long query, a page need not have every word. */
function enoughOf(words: number): number {
  return words <= 2 ? words : Math.ceil((words * 2) / 3);
}

/** Words that share the most letters with the beginning of an unknown one. */
function wordsLike(index: InvertedIndex, typed: string): string[] {
  for (let length = typed.length - 1; length >= 3; length--) {
    const found = [...termsFrom(index, typed.slice(0, length))].flatMap((term) => index.terms.get(term) ?? []);
    if (found.length === 0) continue;
    const commonest = found.sort((a, b) => b.documents.length - a.documents.length);
    return commonest.slice(0, 3).map(({ word }) => word);
  }
  return [];
}
