import type { Hash } from '../lib/hash.ts';
import type { EditionRow, EditionStore, Needed } from '../store/store.ts';
import { entriesOf, readIndex } from './edition-index.ts';

/** Contents that stay, for `publish --back`. */
const contentsKept = 3;
/** Renderings of one content by one variant that stay: the current one, and the one that some server may still show. */
const renderingsKept = 2;
/** Milliseconds for which what another version of the program has made stays: it may still be running. */
const othersKept = 2 * 24 * 3_600_000;

/** A name of something in the store, wherever it stands. */
const names = /\b[0-9a-f]{32}\b/g;

/** Removes from the store what no edition needs that may still be served, or come back. */
export function prune(store: EditionStore, variant: Hash, now: Date): void {
  store.retain(() => needed(store, variant, now));
}

function needed(store: EditionStore, variant: Hash, now: Date): Needed {
  const snapshots = new Set([...new Set(store.publications().map(({ snapshot }) => snapshot))].slice(0, contentsKept));
  const counts = new Map<string, number>();
  const kept = store.everyEdition().filter((row: EditionRow) => {
    if (!snapshots.has(row.snapshot)) return false;
    if (row.variant !== variant && Date.parse(row.made) < now.getTime() - othersKept) return false;
    const count = counts.get(row.variant + row.snapshot) ?? 0;
    counts.set(row.variant + row.snapshot, count + 1);
    return count < renderingsKept;
  });

  const blobs = new Set<Hash>();
  const memos = new Set<Hash>();
  const roots = new Set<Hash>();
  /** Keeps a text and all that it names. */
  const follow = (hash: Hash) => {
    blobs.add(hash);
    for (const [name] of String(store.bytes(hash) ?? '').matchAll(names)) blobs.add(name);
  };
  const remember = (key: Hash) => {
    memos.add(key);
    for (const [name] of (store.memo(key) ?? '').matchAll(names)) blobs.add(name);
  };
  for (const snapshot of snapshots) follow(snapshot);
  for (const { root } of kept) {
    const index = readIndex(root, store);
    if (index === undefined) continue;
    roots.add(root);
    for (const hash of [root, index.entries, index.content.core, index.content.posts, index.search]) follow(hash);
    for (const { hash, recipe } of entriesOf(index, store)) {
      if (!recipe) continue;
      follow(hash);
      remember(hash);
    }
    const used = store.bytes(index.memos);
    blobs.add(index.memos);
    for (const key of used ? (JSON.parse(used.toString()) as Hash[]) : []) remember(key);
  }
  return { blobs, memos, roots, snapshots };
}
