import { type Hash, hashOf } from '../lib/hash.ts';
import { lazy } from '../lib/lazy.ts';
import type { Content } from '../model/content.ts';
import { forgetfulMemo } from '../store/memo.ts';
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
  const pieces = new Map<Hash, Buffer>();
  const keep = (piece: string | Uint8Array) => {
    const bytes = Buffer.from(piece);
    pieces.set(hashOf(bytes), bytes);
    return hashOf(bytes);
  };
  const root = makeIndex(content, keep, forgetfulMemo());
  const index = openIndex(root, (hash) => pieces.get(hash) ?? Buffer.alloc(0));
  // Its texts lie where the content has them.
  const made = { ...index, document: (number: number) => documents[number] as SearchDocument };
  withIndex(content, () => made);
  return made;
}
