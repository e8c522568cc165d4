import MiniSearch from 'minisearch';
import type { Content } from '../model/content.ts';
import { type SearchDocument, searchDocuments, sentences, textOf } from './documents.ts';
import { type Tokenizer, tokenizer } from './synonyms.ts';

/** Ids are positions in `documents`. */
export type SearchIndex = {
  documents: readonly SearchDocument[];
  /** By term: the shortest word of the site with it, for display. */
  words: ReadonlyMap<string, string>;
  tokens: Tokenizer;
  /** Queries must be terms, not text. */
  miniSearch: MiniSearch<Entry>;
};

type Entry = { id: number; document: SearchDocument };

const fields: Readonly<Record<string, (document: SearchDocument) => string>> = {
  title: ({ title, name = '' }) => sentences([title, name]),
  summary: ({ summary }) => summary,
  slug: ({ path }) => path.slice(path.lastIndexOf('/') + 1),
  text: textOf,
};

const boost = { title: 2, summary: 0.7, slug: 0.5 };

/** Per turn of the event loop; takes milliseconds. */
const chunkSize = 2;

const indexes = new WeakMap<Content, SearchIndex>();

const preparing = new WeakMap<Content, Promise<void>>();

/** In the background, once per content; a search meanwhile builds its own. */
export function prepareIndex(content: Content): Promise<void> {
  const known = preparing.get(content) ?? fillIndex(content);
  preparing.set(content, known);
  return known;
}

async function fillIndex(content: Content): Promise<void> {
  const { index, entries } = emptyIndex(content);
  await index.miniSearch.addAllAsync(entries, { chunkSize });
  indexes.set(content, index);
}

export function indexOf(content: Content): SearchIndex {
  const known = indexes.get(content);
  if (known) return known;
  const { index, entries } = emptyIndex(content);
  index.miniSearch.addAll(entries);
  indexes.set(content, index);
  return index;
}

function emptyIndex(content: Content): { index: SearchIndex; entries: Entry[] } {
  const documents = searchDocuments(content);
  const tokens = tokenizer(content.search.synonyms);
  const words = new Map<string, string>();

  function termsOf(text: string): string[] {
    const found = tokens(text).flatMap((token) => token.words);
    for (const { term, plain } of found) {
      if (plain.length < (words.get(term)?.length ?? Number.POSITIVE_INFINITY)) words.set(term, plain);
    }
    return found.map(({ term }) => term);
  }

  const miniSearch = new MiniSearch<Entry>({
    fields: Object.keys(fields),
    extractField: ({ id, document }, field) => fields[field]?.(document) ?? id,
    tokenize: termsOf,
    processTerm: (term) => term,
    searchOptions: {
      boost,
      tokenize: (term) => [term],
      // `queryFor` sets the weights of prefixes itself.
      weights: { prefix: 1, fuzzy: 1 },
      // `d` adds a bonus for each term, which favours pages with many words of one root.
      bm25: { k: 1.6, b: 0.75, d: 0 },
    },
  });
  const entries = documents.map((document, id) => ({ id, document }));
  return { index: { documents, words, tokens, miniSearch }, entries };
}
