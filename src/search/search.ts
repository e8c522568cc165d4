import { beginningWith } from '../lib/sorted.ts';
import type { Content } from '../model/content.ts';
import { type Kind, type SearchDocument, sentences, textOf } from './documents.ts';
import { excerpt, type Marked, mark } from './excerpt.ts';
import { indexOf } from './index-of.ts';
import { understand } from './meaning.ts';
import { rank } from './ranking.ts';
import type { SearchIndex } from './search-index.ts';
import { tokenizer } from './synonyms.ts';

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
  /** Words of the site that begin as the unknown ones do. */
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
  const tokens = tokenizer(content.search.synonyms);
  const words = understand(index, query);
  const understood = words.filter(({ meaning }) => meaning.size > 0);
  const unknown = words.filter(({ meaning }) => meaning.size === 0).map(({ typed }) => typed);
  const meanings = understood.map(({ meaning }) => meaning);
  const { documents: found, most } = rank(index, meanings, enoughOf(meanings.length));
  const terms = new Set(meanings.flatMap((meaning) => [...meaning.keys()]));
  return {
    found,
    partial: most < understood.length,
    corrected: understood.flatMap(({ typed, instead }) => (instead === undefined ? [] : [{ typed, instead }])),
    unknown,
    nearest: [...new Set(unknown.flatMap((word) => wordsLike(index, word)))].slice(0, 5),
    document: index.document,
    show(document) {
      const { path, kind, title, summary } = document;
      const text = sentences([summary, textOf(document)]);
      return { path, kind, title: mark(title, terms, tokens), excerpt: excerpt(text, terms, tokens) };
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

/** Words that share the most letters with the beginning of an unknown one. */
function wordsLike(index: SearchIndex, typed: string): string[] {
  for (let length = typed.length - 1; length >= 3; length--) {
    const found = beginningWith(index.terms, typed.slice(0, length));
    if (found.length === 0) continue;
    const commonest = found.toSorted((a, b) => index.postings(b).length - index.postings(a).length);
    return commonest.slice(0, 3).flatMap((term) => index.word(term) ?? []);
  }
  return [];
}
