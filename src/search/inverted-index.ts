import SearchableMap from 'minisearch/SearchableMap';
import type { Tokenizer } from './synonyms.ts';

/** What is indexed of a document: its fields, all documents having the same ones. */
export type Entry = {
  fields: readonly string[];
  /** How much more likely than another it is what people look for. */
  boost: number;
};

/** A term and the documents that have it. */
type Posting = {
  documents: Uint32Array;
  /** How much each of them is about the term. */
  weights: Float32Array;
  /** How much the term tells: rare ones tell most. */
  rarity: number;
  /** A form of it to show: the shortest there is. */
  word: string;
};

/** Ten thousand documents are searched in milliseconds because what they weigh lies in flat arrays. */
export type InvertedIndex = {
  /** Number of documents. */
  size: number;
  terms: ReadonlyMap<string, Posting>;
  /** The terms in order, in which those with the same beginning are neighbours. */
  sorted: readonly string[];
  /** The terms as MiniSearch's radix tree, which finds those that are like another. */
  tree: SearchableMap<true>;
};

/** Terms that stand for one word of a query, each with how well it does, up to 1. */
export type Meaning = ReadonlyMap<string, number>;

/** Of BM25, as Robertson and Zaragoza (2009) recommend it: how soon repetition adds little, and what length takes away. */
const saturation = 1.2;
const lengthShare = 0.6;

/** @param weights how much a match counts, field by field */
export function invertedIndex(entries: readonly Entry[], weights: readonly number[], tokens: Tokenizer): InvertedIndex {
  const lists = new Map<string, { documents: number[]; weights: number[]; word: string }>();
  const texts = entries.map(({ fields }) => fields.map((text) => countTerms(text, tokens)));
  const typical = weights.map((_, field) => {
    const all = texts.reduce((sum, fields) => sum + (fields[field]?.length ?? 0), 0);
    return Math.max(1, all / entries.length);
  });
  for (const [document, fields] of texts.entries()) {
    const total = new Map<string, number>();
    for (const [field, { counts, length }] of fields.entries()) {
      const norm = saturation * (1 - lengthShare + (lengthShare * length) / (typical[field] ?? 1));
      const weight = (weights[field] ?? 1) * (entries[document]?.boost ?? 1);
      for (const [term, { count, word }] of counts) {
        total.set(term, (total.get(term) ?? 0) + (weight * count) / (count + norm));
        const list = lists.get(term);
        if (list === undefined) lists.set(term, { documents: [], weights: [], word });
        else if (word.length < list.word.length) list.word = word;
      }
    }
    for (const [term, weight] of total) {
      const list = lists.get(term);
      list?.documents.push(document);
      list?.weights.push(weight);
    }
  }
  const terms = new Map<string, Posting>();
  for (const [term, { documents, weights, word }] of lists) {
    const rarity = Math.log(1 + (entries.length - documents.length + 0.5) / (documents.length + 0.5));
    terms.set(term, { documents: Uint32Array.from(documents), weights: Float32Array.from(weights), rarity, word });
  }
  const sorted = [...terms.keys()].sort();
  return { size: entries.length, terms, sorted, tree: SearchableMap.from(sorted.map((term) => [term, true])) };
}

/** Every term with this beginning. */
export function* termsFrom({ sorted }: InvertedIndex, beginning: string): Generator<string> {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') < beginning) low = middle + 1;
    else high = middle;
  }
  for (; sorted[low]?.startsWith(beginning); low++) yield sorted[low] as string;
}

type Counted = { counts: ReadonlyMap<string, { count: number; word: string }>; length: number };

function countTerms(text: string, tokens: Tokenizer): Counted {
  const counts = new Map<string, { count: number; word: string }>();
  const found = tokens(text);
  for (const { terms } of found) {
    for (const { term, word } of terms) {
      const known = counts.get(term);
      if (known === undefined) counts.set(term, { count: 1, word });
      else known.count += 1;
    }
  }
  return { counts, length: found.length };
}

export type Ranked = {
  /** Best first. */
  documents: readonly number[];
  /** How many of the wanted words the document with most of them has. */
  most: number;
};

/**
 * The documents that have enough of the wanted words.
 *
 * @param enough how many of the words a document must have; if none has so many, as many as any has
 */
export function rank({ size, terms }: InvertedIndex, wanted: readonly Meaning[], enough: number): Ranked {
  const scores = new Float64Array(size);
  const matches = new Uint8Array(size);
  for (const meaning of wanted) {
    const best = new Float32Array(size);
    // A rare word that only resembles the wanted one must not outweigh it.
    const [first] = meaning.keys();
    const rarityOfFirst = (first !== undefined && terms.get(first)?.rarity) || 0;
    for (const [term, likeness] of meaning) {
      const posting = terms.get(term);
      if (posting === undefined) continue;
      const factor = likeness * Math.min(posting.rarity, rarityOfFirst);
      posting.documents.forEach((document, at) => {
        best[document] = Math.max(best[document] ?? 0, factor * (posting.weights[at] ?? 0));
      });
    }
    best.forEach((score, document) => {
      if (score === 0) return;
      scores[document] = (scores[document] ?? 0) + score;
      matches[document] = (matches[document] ?? 0) + 1;
    });
  }
  const most = matches.reduce((all, count) => Math.max(all, count), 0);
  const needed = Math.max(1, Math.min(enough, most));
  const documents: number[] = [];
  matches.forEach((count, document) => {
    if (count >= needed) documents.push(document);
  });
  documents.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  return { documents, most };
}
