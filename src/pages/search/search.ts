import { LRUCache } from 'lru-cache';
import MiniSearch, { type SearchOptions } from 'minisearch';
import { slugOf } from '../../lib/slug.ts';
import type { Content } from '../../model/content.ts';
import { type Analyzer, createAnalyzer, isNumber } from './analyzer.ts';
import {
  type DocumentTypeName,
  documentText,
  documentTypes,
  joinSentences,
  type SearchDocument,
  searchDocuments,
} from './documents.ts';
import { type AnalyzedText, analyzeText, excerpt, type Highlighted } from './excerpt.ts';

export type Match = { document: SearchDocument; terms: ReadonlySet<string> };

export type SearchOutcome = {
  /** Best first. */
  matches: readonly Match[];
  /** The query, or its reading on the other keyboard layout. */
  meant: string;
  /** If false, pages match only similar words, or some of them. */
  exact: boolean;
};

export type SearchResult = { path: string; documentType: DocumentTypeName; title: Highlighted; excerpt: Highlighted };

/** Tries the query, the other keyboard layout, typos, then any of the words. */
export function search(content: Content, query: string): SearchOutcome {
  const nothing = { matches: [], meant: query, exact: true };
  // The prerendered page needs no index.
  if (query === '') return nothing;
  const { miniSearch, documents } = indexOf(content);
  const retyped = onOtherLayout(query);
  const similar = { fuzzy: maxTypos };
  const attempts: readonly { meant: string; exact: boolean; options?: SearchOptions }[] = [
    { meant: query, exact: true },
    { meant: retyped, exact: true },
    { meant: query, exact: false, options: similar },
    { meant: retyped, exact: false, options: similar },
    { meant: query, exact: false, options: { ...similar, combineWith: 'OR' } },
  ];
  for (const { meant, exact, options } of attempts) {
    const matches = miniSearch.search(meant, options).flatMap(({ id, terms }) => {
      const document = documents.get(id);
      return document ? [{ document, terms: new Set(terms) }] : [];
    });
    if (matches.length > 0) return { matches, meant, exact };
  }
  return nothing;
}

export function resultOf(content: Content, { document, terms }: Match): SearchResult {
  const { path, documentType } = document;
  const { title, text } = indexOf(content).analyzed(document);
  return { path, documentType, title: excerpt(title, terms), excerpt: excerpt(text, terms) };
}

/** Allowed edit distance; short words resemble too many others. */
function maxTypos(term: string): number | false {
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

type SearchIndex = {
  /** By path. */
  documents: ReadonlyMap<string, SearchDocument>;
  analyzer: Analyzer;
  miniSearch: MiniSearch<SearchDocument>;
  /** What results show of a document. */
  analyzed(document: SearchDocument): Record<'title' | 'text', AnalyzedText>;
};

/** Bounds the work per query. */
const maxQueryWords = 6;

/** Analyzing a document again takes longer than a search. */
const maxAnalyzedDocuments = 200;

/** Documents added per turn of the event loop, each taking milliseconds. */
const chunkSize = 2;

const indexes = new WeakMap<Content, SearchIndex>();
const preparations = new WeakMap<Content, Promise<void>>();

/** Builds the index in the background, once for a content. */
export function prepareIndex(content: Content): Promise<void> {
  const preparation = preparations.get(content) ?? buildIndex(content);
  preparations.set(content, preparation);
  // The next request tries again.
  preparation.catch(() => preparations.delete(content));
  return preparation;
}

/** @throws before `prepareIndex` has ended */
export function indexOf(content: Content): SearchIndex {
  const index = indexes.get(content);
  if (index === undefined) throw new Error('The search index is not ready; wait for prepareIndex.');
  return index;
}

async function buildIndex(content: Content): Promise<void> {
  const documents = new Map(searchDocuments(content).map((document) => [document.path, document]));
  const analyzer = createAnalyzer(content.search.synonyms);
  const tokenize = (text: string) => analyzer.tokens(text).map((token) => token.text);
  const miniSearch = new MiniSearch<SearchDocument>({
    idField: 'path',
    fields: ['title', 'summary', 'address', 'text'],
    extractField: (document, field) => fields[field]?.(document) ?? '',
    tokenize,
    processTerm: (token) => [...analyzer.textTerms(token)],
    searchOptions: {
      tokenize: (query) => tokenize(query).slice(0, maxQueryWords),
      processTerm: (token) => [...analyzer.queryTerms(token)],
      combineWith: 'AND',
      prefix: (term) => term.length >= 3 && !isNumber(term),
      boost: { title: 2, summary: 0.7, address: 0.5 },
      boostDocument: (path) => documentTypes[documents.get(path)?.documentType ?? 'section'].boost,
    },
  });
  const analyzedDocuments = new LRUCache<SearchDocument, Record<'title' | 'text', AnalyzedText>>({
    max: maxAnalyzedDocuments,
    memoMethod: (document) => ({
      title: analyzeText(document.title, analyzer),
      text: analyzeText(joinSentences([document.summary, documentText(document)]), analyzer),
    }),
  });
  await miniSearch.addAllAsync([...documents.values()], { chunkSize });
  indexes.set(content, { documents, analyzer, miniSearch, analyzed: (document) => analyzedDocuments.memo(document) });
}

const fields: Readonly<Record<string, (document: SearchDocument) => string>> = {
  path: ({ path }) => path,
  title: ({ title }) => title,
  summary: ({ summary }) => summary,
  /** Also matches transliterated words, as in addresses of other sites. */
  address: ({ path, title }) => `${path} ${slugOf(title)}`,
  text: documentText,
};
