import SearchableMap from 'minisearch/SearchableMap';
import type { Content } from '../model/content.ts';
import { type Kind, type SearchDocument, searchDocuments } from './documents.ts';
import { type InvertedIndex, invertedIndex } from './inverted-index.ts';
import { sentences } from './sentences.ts';
import { type Tokenizer, tokenizer } from './synonyms.ts';

/** How much a match counts: in the title, in the summary, in the address, in the text. */
const fieldWeights = [3, 1.5, 1, 1] as const;

/** Whoever looks for «упаковка» wants the service before an article that mentions it. */
const boosts: Readonly<Record<Kind, number>> = {
  service: 1.5,
  section: 1.2,
  rates: 1.1,
  departures: 1.1,
  question: 1,
  case: 0.9,
  article: 1,
  news: 0.8,
  legal: 0.6,
};

/** What a content is searched by. */
export type Searcher = {
  documents: readonly SearchDocument[];
  index: InvertedIndex;
  tokens: Tokenizer;
  /** Documents that are whole pages, by address. */
  pages: SearchableMap<SearchDocument>;
};

const searchers = new WeakMap<Content, Searcher>();

/** Made at the first search, since a server that nobody searches needs none; it takes some 50 ms. */
export function searcherOf(content: Content): Searcher {
  let searcher = searchers.get(content);
  if (searcher === undefined) {
    const documents = searchDocuments(content);
    const tokens = tokenizer(content.search.synonyms);
    const entries = documents.map((one) => ({
      fields: [sentences([one.title, one.name ?? '']), one.summary, slugOf(one.path), one.text()],
      boost: boosts[one.kind],
    }));
    const pages = new SearchableMap<SearchDocument>();
    for (const one of documents) if (!one.path.includes('#')) pages.set(one.path, one);
    searcher = { documents, index: invertedIndex(entries, fieldWeights, tokens), tokens, pages };
    searchers.set(content, searcher);
  }
  return searcher;
}

function slugOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
