import { LRUCache } from 'lru-cache';
import MiniSearch from 'minisearch';
import { slugOf } from '../../lib/slug.ts';
import type { Content } from '../../model/content.ts';
import { documentKinds, documentText, joinSentences, type SearchDocument, searchDocuments } from './documents.ts';
import { isNumber, type ReadText, readText, type WordReader, wordsWith } from './words.ts';

type SearchIndex = {
  /** By path. */
  documents: ReadonlyMap<string, SearchDocument>;
  words: WordReader;
  /** The title, and what excerpts are cut from. */
  read(document: SearchDocument): Record<'title' | 'text', ReadText>;
  miniSearch: MiniSearch<SearchDocument>;
};

const fields: Readonly<Record<string, (document: SearchDocument) => string>> = {
  path: ({ path }) => path,
  title: ({ title }) => title,
  summary: ({ summary }) => summary,
  /** Also matches transliterated words, as in addresses of other sites. */
  address: ({ path, title }) => `${path} ${slugOf(title)}`,
  text: documentText,
};

/** Bounds the work per query. */
const maxQueryWords = 6;

/** Documents that results show. Reading one again takes longer than a search. */
const maxReadDocuments = 200;

/** Documents added per turn of the event loop, each taking milliseconds. */
const chunkSize = 2;

const indexes = new WeakMap<Content, SearchIndex>();
const preparations = new WeakMap<Content, Promise<void>>();

/** Builds the index in the background, once for a content. Requests wait for it, so that none builds it at once. */
export function prepareIndex(content: Content): Promise<void> {
  const known = preparations.get(content);
  if (known) return known;
  const preparation = prepare(content);
  preparations.set(content, preparation);
  // The next request tries again.
  preparation.catch(() => preparations.delete(content));
  return preparation;
}

async function prepare(content: Content): Promise<void> {
  const index = emptyIndex(content);
  await index.miniSearch.addAllAsync([...index.documents.values()], { chunkSize });
  indexes.set(content, index);
}

/** Builds the index at once unless it is prepared. */
export function indexOf(content: Content): SearchIndex {
  const known = indexes.get(content);
  if (known) return known;
  const index = emptyIndex(content);
  index.miniSearch.addAll([...index.documents.values()]);
  indexes.set(content, index);
  return index;
}

function emptyIndex(content: Content): SearchIndex {
  const documents = new Map(searchDocuments(content).map((document) => [document.path, document]));
  const words = wordsWith(content.search.synonyms);
  const tokenize = (text: string) => words.tokens(text).map((token) => token.text);
  const miniSearch = new MiniSearch<SearchDocument>({
    idField: 'path',
    fields: ['title', 'summary', 'address', 'text'],
    extractField: (document, field) => fields[field]?.(document) ?? '',
    tokenize,
    processTerm: (token) => [...words.textTerms(token)],
    searchOptions: {
      tokenize: (query) => tokenize(query).slice(0, maxQueryWords),
      processTerm: (token) => [...words.queryTerms(token)],
      combineWith: 'AND',
      prefix: (term) => term.length >= 3 && !isNumber(term),
      boost: { title: 2, summary: 0.7, address: 0.5 },
      boostDocument: (path) => documentKinds[documents.get(path)?.kind ?? 'section'].boost,
    },
  });
  const readDocuments = new LRUCache<SearchDocument, Record<'title' | 'text', ReadText>>({
    max: maxReadDocuments,
    memoMethod: (document) => ({
      title: readText(document.title, words),
      text: readText(joinSentences([document.summary, documentText(document)]), words),
    }),
  });
  return { documents, words, read: (document) => readDocuments.memo(document), miniSearch };
}
