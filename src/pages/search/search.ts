import type { SearchOptions } from 'minisearch';
import type { Content } from '../../model/content.ts';
import type { DocumentKindName, SearchDocument } from './documents.ts';
import { excerpt, type Highlighted } from './excerpt.ts';
import { indexOf } from './index-of.ts';
import { isNumber } from './words.ts';

export type Found = { document: SearchDocument; terms: ReadonlySet<string> };

export type SearchOutcome = {
  /** Best first. */
  found: readonly Found[];
  /** The query, or its reading on the other keyboard layout. */
  meant: string;
  /** If false, pages match only similar words, or some of them. */
  exact: boolean;
};

export type SearchResult = { path: string; kind: DocumentKindName; title: Highlighted; excerpt: Highlighted };

const similar: SearchOptions = { fuzzy: mistakesIn };

/** Tries the query, the other keyboard layout, typos, then any of the words. */
export function search(content: Content, query: string): SearchOutcome {
  const nothing = { found: [], meant: query, exact: true };
  // Saves building the index for the prerendered page.
  if (query === '') return nothing;
  const { miniSearch, documents } = indexOf(content);
  const retyped = onOtherLayout(query);
  const attempts: readonly { meant: string; exact: boolean; options?: SearchOptions }[] = [
    { meant: query, exact: true },
    { meant: retyped, exact: true },
    { meant: query, exact: false, options: similar },
    { meant: retyped, exact: false, options: similar },
    { meant: query, exact: false, options: { ...similar, combineWith: 'OR' } },
  ];
  for (const { meant, exact, options } of attempts) {
    const found = miniSearch.search(meant, options).flatMap(({ id, terms }) => {
      const document = documents.get(id);
      return document ? [{ document, terms: new Set(terms) }] : [];
    });
    if (found.length > 0) return { found, meant, exact };
  }
  return nothing;
}

export function resultOf(content: Content, { document, terms }: Found): SearchResult {
  const { path, kind } = document;
  const { title, text } = indexOf(content).read(document);
  return { path, kind, title: excerpt(title, terms), excerpt: excerpt(text, terms) };
}

/** Allowed edit distance; short words resemble too many others. */
function mistakesIn(term: string): number | false {
  if (term.length < 5 || isNumber(term)) return false;
  return term.length < 8 ? 1 : 2;
}

const latinKeys = "`qwertyuiop[]asdfghjkl;'zxcvbnm,.";
const russianKeys = 'ёйцукенгшщзхъфывапролджэячсмитьбю';
const russianKey = new Map([...latinKeys].map((key, index) => [key, russianKeys[index] ?? key]));

/** «afkabkvtyn» -> «фулфилмент» */
function onOtherLayout(text: string): string {
  return Array.from(text.toLowerCase(), (key) => russianKey.get(key) ?? key).join('');
}
