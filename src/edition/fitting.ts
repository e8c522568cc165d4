import type { Hash } from '../lib/hash.ts';
import type { Content } from '../model/content.ts';
import type { EditionRow, EditionStore } from '../store/store.ts';
import { type EditionIndex, readIndex } from './edition-index.ts';
import { openEdition } from './open.ts';
import type { Editions } from './stores.ts';

/** An edition that can be served, and whether it is of now. */
export type Fitting = { row: EditionRow; index: EditionIndex; current: boolean };

/** The renderings of a content by one variant, the best first: the one of the moment, then the latest of the past. */
export function renderings(store: EditionStore, variant: Hash, snapshot: Hash, at: Date): EditionRow[] {
  const rows = store.editions(variant, snapshot);
  const rank = (row: EditionRow) => (isOf(row, at) ? 0 : row.starts <= at.toISOString() ? 1 : 2);
  return rows.toSorted((a, b) => rank(a) - rank(b));
}

function isOf({ starts, until }: EditionRow, at: Date): boolean {
  const now = at.toISOString();
  return starts <= now && (until === null || now < until);
}

/** Name of the note that an edition is as small as it can be. */
export function polishedNote(root: Hash): string {
  return `polished ${root}`;
}

/** @returns `undefined` if this variant has rendered the content never, or all of it is damaged */
export function fittingEdition(store: EditionStore, variant: Hash, snapshot: Hash, at: Date): Fitting | undefined {
  for (const row of renderings(store, variant, snapshot, at)) {
    const index = readIndex(row.root, store);
    if (index) return { row, index, current: isOf(row, at) };
  }
  return undefined;
}

/** What visitors see; `undefined` if nothing was published, or this variant has not rendered it. */
export function currentEdition(store: EditionStore, variant: Hash, at: Date): Fitting | undefined {
  const [current] = store.publications();
  return current && fittingEdition(store, variant, current.snapshot, at);
}

/** What the site says now, by any version of the program if not by this one; `undefined` if nothing was published. */
export function publishedContent(editions: Editions, variant: Hash, at: Date): Content | undefined {
  const [current] = [...editions.publications(), ...(editions.shipped?.publications() ?? [])];
  if (current === undefined) return undefined;
  const known = fittingEdition(editions, variant, current.snapshot, at)?.index;
  const other = editions.everyEdition().find(({ snapshot }) => snapshot === current.snapshot);
  return openEdition(known ?? (other && readIndex(other.root, editions)), editions)?.content();
}
