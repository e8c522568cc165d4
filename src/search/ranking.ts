import { documentOf, type SearchIndex, weightOf } from './search-index.ts';

/** Terms that stand for one word of a query, each with how well it does, up to 1. */
export type Meaning = ReadonlyMap<string, number>;

export type Ranked = {
  /** Numbers of documents, best first. */
  documents: readonly number[];
  /** How many of the wanted words the document with most of them has. */
  most: number;
};

/**
 * The documents that have enough of the wanted words.
 *
 * @param enough how many of the words a document must have; if none has so many, as many as any has
 */
export function rank(index: SearchIndex, wanted: readonly Meaning[], enough: number): Ranked {
  const { size } = index;
  const scores = new Float64Array(size);
  const matches = new Uint8Array(size);
  for (const meaning of wanted) {
    const best = new Float32Array(size);
    // A rare word that only resembles the wanted one must not outweigh it.
    const [first = ''] = meaning.keys();
    const rarityOfFirst = rarity(index.postings(first).length, size);
    for (const [term, likeness] of meaning) {
      const postings = index.postings(term);
      const factor = likeness * Math.min(rarity(postings.length, size), rarityOfFirst);
      for (const posting of postings) {
        const document = documentOf(posting);
        const score = factor * weightOf(posting);
        if (score > (best[document] ?? 0)) best[document] = score;
      }
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

/** How much a term tells: rare ones tell most. */
function rarity(documents: number, size: number): number {
  return documents === 0 ? 0 : Math.log(1 + (size - documents + 0.5) / (documents + 0.5));
}
