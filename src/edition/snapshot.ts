import { type Hash, hashOf } from '../lib/hash.ts';
import type { ContentFiles } from '../reading/content-files.ts';
import type { EditionStore } from '../store/store.ts';

/** Names a content: the same files give the same name on every machine. */
export function nameOf(files: ContentFiles): Hash {
  return hashOf(listOf(files));
}

function listOf(files: ContentFiles): string {
  return JSON.stringify([...files].map(([name, { hash }]) => [name, hash]));
}

/** Keeps the files as they are, so that later editions are made of what was published. */
export function keepSnapshot(files: ContentFiles, store: EditionStore): Hash {
  const known = store.ownHashes();
  for (const { hash, bytes } of files.values()) if (!known.has(hash)) store.keep(bytes());
  return store.keep(listOf(files));
}

/** @returns `undefined` if a part of it is missing or damaged */
export function readSnapshot(snapshot: Hash, store: Pick<EditionStore, 'bytes' | 'hashes'>): ContentFiles | undefined {
  const list = store.bytes(snapshot);
  if (list === undefined) return undefined;
  const names = JSON.parse(list.toString()) as [name: string, hash: Hash][];
  const known = store.hashes();
  if (names.some(([, hash]) => !known.has(hash))) return undefined;
  return new Map(names.map(([name, hash]) => [name, { hash, bytes: () => part(hash, store) }]));
}

function part(hash: Hash, store: Pick<EditionStore, 'bytes'>): Buffer {
  const bytes = store.bytes(hash);
  if (bytes === undefined) throw new Error('A file of the published content is damaged; "publish" the content again.');
  return bytes;
}
