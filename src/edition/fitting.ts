import type { Content } from '../site/content.ts';
import type { Hash } from '../store/hash.ts';
import type { EditionRow, EditionStore } from '../store/store.ts';
import { openEdition, readIndex } from './open.ts';
import type { Editions } from './stores.ts';

/** An edition that can be served, and whether it is of the present. */
export type Fitting = { row: EditionRow; current: boolean };

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
  const row = renderings(store, variant, snapshot, at).find(({ root }) => readIndex(root, store) !== undefined);
  return row && { row, current: isOf(row, at) };
}

/** What the site says now, by any version of the program if not by this one; `undefined` if nothing was published. */
export function publishedContent(editions: Editions, variant: Hash, at: Date): Content | undefined {
  const [present] = [...editions.publications(), ...(editions.shipped?.publications() ?? [])];
  const fitting = present && fittingEdition(editions, variant, present.snapshot, at)?.row;
  const row = fitting ?? editions.everyEdition().find(({ snapshot }) => snapshot === present?.snapshot);
  return row && openEdition(row, editions)?.content();
}
