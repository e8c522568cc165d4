import { type Hash, hashOf } from '../lib/hash.ts';
import type { Content } from '../model/content.ts';
import type { Memo } from '../store/memo.ts';
import { type Kind, type SearchDocument, searchDocuments, sentences, textOf } from './documents.ts';
import { type Pieces, postingOf, termsTogether } from './search-index.ts';
import { type Tokenizer, tokenizer } from './synonyms.ts';
import type { Token } from './words.ts';

/** How much a match in a field counts, and how many words it typically has. */
const fields: readonly { of(document: SearchDocument): string; weight: number; typical: number }[] = [
  { of: ({ title, name = '' }) => sentences([title, name]), weight: 3, typical: 6 },
  { of: ({ summary }) => summary, weight: 1.5, typical: 14 },
  { of: ({ path }) => path.slice(path.lastIndexOf('/') + 1), weight: 1, typical: 3 },
  { of: textOf, weight: 1, typical: 200 },
];

/** A visitor who looks for «упаковка» wants the service before an article that mentions it. */
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

/** Of BM25, as Robertson and Zaragoza (2009) advise: how soon repetition adds little, and what length takes away. */
const saturation = 1.2;
const lengthShare = 0.6;

/** Documents whose words are counted together, on average. */
const documentsTogether = 64;

/** Makes what a content is searched by. @returns what it is opened with */
export function makeIndex(content: Content, keep: (piece: string | Uint8Array) => Hash, memo: Memo): Hash {
  const { synonyms } = content.search;
  const tokens = tokenizer(synonyms);
  const all = searchDocuments(content);
  const terms = new Map<string, { word: string; postings: number[] }>();
  const documents: [first: number, Hash][] = [];
  let first = 0;
  for (const some of together(all)) {
    const kept = keep(JSON.stringify(some));
    // Beside the memo, where it is packed.
    const { list } = memo.once(
      ['search', synonyms, kept],
      () => ({ list: memo.keep(JSON.stringify(countTerms(some, tokens))) }),
      (made) => memo.has(made.list),
    );
    for (const [term, word, own] of JSON.parse(memo.text(list)) as Counted[]) {
      const known = terms.get(term) ?? { word, postings: [] };
      if (known.postings.length === 0) terms.set(term, known);
      if (word.length < known.word.length) known.word = word;
      for (const posting of own) known.postings.push(postingOf(first, 0) + posting);
    }
    documents.push([first, kept]);
    first += some.length;
  }
  const entries = [...terms].sort(([a], [b]) => (a < b ? -1 : 1));
  const pages = all
    .flatMap(({ path }, number): [string, number][] => (path.includes('#') ? [] : [[path, number]]))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const pieces: Pieces = {
    size: all.length,
    terms: keep(JSON.stringify(entries.map(([term]) => term))),
    words: keep(JSON.stringify(entries.map(([, { word }]) => word))),
    postings: Array.from({ length: Math.ceil(entries.length / termsTogether) }, (_, page) => {
      const lists = entries.slice(page * termsTogether, (page + 1) * termsTogether).map(([, { postings }]) => postings);
      return keep(new Uint8Array(oneAfterAnother(lists).buffer));
    }),
    documents,
    pages: keep(JSON.stringify({ paths: pages.map(([path]) => path), numbers: pages.map(([, number]) => number) })),
  };
  return keep(JSON.stringify(pieces));
}

/** Neighbours by thousands, in groups that what is new among them does not shift. */
function together(all: readonly SearchDocument[]): SearchDocument[][] {
  const groups: SearchDocument[][] = [];
  for (const one of all) {
    const begins = Number.parseInt(hashOf(one.path).slice(0, 8), 16) % documentsTogether === 0;
    const group = groups.at(-1);
    if (group === undefined || begins) groups.push([one]);
    else group.push(one);
  }
  return groups;
}

type Counted = [term: string, word: string, postings: number[]];

/** Count and weight are of the field and the document that are looked at: so each word of a text is looked up once. */
type Entry = { word: string; postings: number[]; count: number; weight: number };

/** Every term of some documents, with the shortest form that it has in them, and how much each is about it. */
function countTerms(documents: readonly SearchDocument[], tokens: Tokenizer): Counted[] {
  const entries = new Map<string, Entry>();
  for (const [number, one] of documents.entries()) {
    const inDocument: Entry[] = [];
    for (const { of, weight, typical } of fields) {
      const found = tokens(of(one));
      const norm = saturation * (1 - lengthShare + (lengthShare * found.length) / typical);
      for (const entry of counted(found, entries)) {
        if (entry.weight === 0) inDocument.push(entry);
        entry.weight += (weight * entry.count) / (entry.count + norm);
        entry.count = 0;
      }
    }
    for (const entry of inDocument) {
      entry.postings.push(postingOf(number, entry.weight * boosts[one.kind]));
      entry.weight = 0;
    }
  }
  return [...entries].map(([term, { word, postings }]) => [term, word, postings]);
}

/** Counts the terms of a field. @returns those that stand in it */
function counted(found: readonly Token[], entries: Map<string, Entry>): Entry[] {
  const inField: Entry[] = [];
  for (const { terms } of found) {
    for (const { stem, plain } of terms) {
      let entry = entries.get(stem);
      if (entry === undefined) {
        entry = { word: plain, postings: [], count: 0, weight: 0 };
        entries.set(stem, entry);
      }
      if (plain.length < entry.word.length) entry.word = plain;
      if (entry.count === 0) inField.push(entry);
      entry.count += 1;
    }
  }
  return inField;
}

/** Where each list begins, and the last one ends, and then the lists. */
function oneAfterAnother(lists: readonly (readonly number[])[]): Uint32Array {
  const starts = [lists.length + 1];
  for (const list of lists) starts.push((starts.at(-1) ?? 0) + list.length);
  return Uint32Array.from([...starts, ...lists.flat()]);
}
