import type { Hash } from '../lib/hash.ts';
import { lazy } from '../lib/lazy.ts';
import { placeOf, type Sorted, sorted } from '../lib/sorted.ts';

import type { SearchDocument } from './documents.ts';

/*
 * What a content is searched by is made with its edition and kept in pieces, of which a query reads those that it
 * needs. Documents are known by their numbers, in whose order equals are shown.
 */

/** The pieces by their hashes. */
export type Pieces = {
  size: number;
  terms: Hash;
  words: Hash;
  /** Lists of postings, as many to a piece as `termsTogether`. */
  postings: readonly Hash[];
  /** Pieces of the list of documents, each with the number of its first. */
  documents: readonly (readonly [first: number, Hash])[];
  pages: Hash;
};

export type SearchIndex = {
  /** Number of documents. */
  size: number;
  terms: Sorted;
  has(term: string): boolean;
  /** The shortest form of a term that stands somewhere. */
  word(term: string): string | undefined;
  /** Documents with a term, each with how much it is about it: see `documentOf` and `weightOf`. */
  postings(term: string): Uint32Array;
  document(number: number): SearchDocument;
  /** Addresses of the documents that are whole pages, in order, and their numbers. */
  pages(): { paths: Sorted; numbers: readonly number[] };
};

export const termsTogether = 256;

/** A document and how much it is about a term are one number of 32 bits, for there are millions. */
const weightBits = 12;
const weightOfOne = 256;

export function postingOf(document: number, weight: number): number {
  return (document << weightBits) + Math.ceil(weight * weightOfOne);
}

export function documentOf(posting: number): number {
  return posting >>> weightBits;
}

/** Tells which is more, and not how much. */
export function weightOf(posting: number): number {
  return posting & ((1 << weightBits) - 1);
}

/** @param read a piece by its hash; throws if it is damaged */
export function openIndex(root: Hash, read: (hash: Hash) => Buffer): SearchIndex {
  const text = (hash: Hash) => read(hash).toString();
  const json = (hash: Hash) => JSON.parse(text(hash));
  const pieces = json(root) as Pieces;
  const terms = sorted(json(pieces.terms));
  const words = lazy((): string[] => json(pieces.words));
  const lists = pieces.postings.map((hash) => lazy(() => numbersOf(read(hash))));
  const documents = pieces.documents.map(([first, hash]) => ({
    first,
    some: lazy((): SearchDocument[] => json(hash)),
  }));
  return {
    size: pieces.size,
    terms,
    has: (term) => placeOf(terms, term) !== undefined,
    word(term) {
      const place = placeOf(terms, term);
      return place === undefined ? undefined : words()[place];
    },
    postings(term) {
      const place = placeOf(terms, term) ?? -1;
      const list = lists[Math.floor(place / termsTogether)]?.();
      if (list === undefined) return new Uint32Array();
      const at = place % termsTogether;
      return list.subarray(list[at], list[at + 1]);
    },
    document(number) {
      const piece = documents.findLast(({ first }) => first <= number);
      const one = piece?.some()[number - piece.first] as SearchDocument;
      const parts = one.parts.map((part) =>
        typeof part === 'string' ? part : new StoredProse(part as unknown as ProseReference, text),
      );
      return { ...one, parts };
    },
    pages: lazy(() => {
      const { paths, numbers } = json(pieces.pages);
      return { paths: sorted(paths), numbers };
    }),
  };
}

function numbersOf({ buffer, byteOffset, length }: Buffer): Uint32Array {
  // Numbers can be read only where they begin at a multiple of their length.
  return new Uint32Array(buffer.slice(byteOffset, byteOffset + length));
}
