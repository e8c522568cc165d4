import { lazy } from '../lib/lazy.ts';
import type { Content } from '../model/content.ts';
import { memoIn } from '../store/memo.ts';
import { openEditionStore } from '../store/store.ts';
import { type SearchDocument, searchDocuments } from './documents.ts';
import { makeIndex } from './make-index.ts';
import { openIndex, type SearchIndex } from './search-index.ts';

const indexes = new WeakMap<Content, () => SearchIndex>();

/** Says where to find what a content is searched by. */
export function withIndex(content: Content, open: () => SearchIndex): Content {
  indexes.set(content, lazy(open));
  return content;
}

/** What a content is searched by; of one that comes from no edition, it is made at the first search. */
export function indexOf(content: Content): SearchIndex {
  const known = indexes.get(content);
  if (known) return known();
  const documents = searchDocuments(content);
  const pieces = openEditionStore(':memory:', { for: 'make' });
  const root = makeIndex(content, pieces.keep, memoIn(pieces, ''));
  const index = openIndex(root, (hash) => pieces.bytes(hash) ?? Buffer.alloc(0));
  // Its texts lie where the content has them.
  const made = { ...index, document: (number: number) => documents[number] as SearchDocument };
  withIndex(content, () => made);
  return made;
}
