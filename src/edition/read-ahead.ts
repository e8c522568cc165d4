import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { paths } from '../paths.ts';
import type { ContentFiles } from '../site/content-files.ts';
import { postSchemas } from '../site/load.ts';
import { contentReader } from '../site/source.ts';
import { namedPictures, renderedText } from '../site/written.ts';
import { type Hash, hashOf, keyOf } from '../store/hash.ts';
import { memoIn } from '../store/memo.ts';
import type { EditionStore } from '../store/store.ts';

/** Files that are read in one go, and from how many on a second thread is worth its start. */
const batchSize = 32;
const worthwhile = 4 * batchSize;

/** A post as it crosses to another thread. */
export type Post = { name: string; bytes: Uint8Array };

/** What reading some posts has made, to be remembered. */
export type Reading = { memos: [key: Hash, value: string][]; texts: string[] };

/** Reads posts as loading the content would, and gives back what there is to remember. @param code id of the program */
export function readPosts(posts: readonly Post[], code: string): Reading {
  const reading: Reading = { memos: [], texts: [] };
  const recorder = {
    memo: () => undefined,
    setMemo: (key: Hash, value: string) => void reading.memos.push([key, value]),
    keep(text: string | Uint8Array) {
      reading.texts.push(String(text));
      return hashOf(text);
    },
    bytes: () => undefined,
    hashes: () => new Set<Hash>(),
  };
  const memo = memoIn(recorder, code);
  for (const { name, bytes } of posts) {
    const plain = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const file = { hash: hashOf(plain), bytes: () => plain };
    const schema = schemaOf(name);
    const source = schema && contentReader(new Map([[name, file]]), memo).file(name, schema);
    if (source === undefined) continue;
    const text = { name: source.hash, read: source.body };
    // Pictures are looked for where all files are at hand.
    if (namedPictures(text, memo).length === 0) renderedText(text, [], memo);
  }
  return reading;
}

function schemaOf(name: string) {
  const folder = name.endsWith('.md') ? name.slice(0, name.indexOf('/')) : '';
  return folder in postSchemas ? postSchemas[folder as keyof typeof postSchemas] : undefined;
}

/**
 * Reads posts that were never read before on two threads, so that loading the content finds them read. It changes
 * nothing but the time that loading takes.
 */
export async function readAhead(files: ContentFiles, store: EditionStore, code: string): Promise<void> {
  const unread = [...files].filter(
    ([name, { hash }]) => schemaOf(name) && store.memo(keyOf(code, 'file', name, hash)) === undefined,
  );
  if (unread.length < worthwhile) return;

  function next(): Post[] {
    return unread.splice(0, batchSize).map(([name, { bytes }]) => ({ name, bytes: bytes() }));
  }
  function remember({ memos, texts }: Reading): void {
    for (const text of texts) store.keep(text);
    for (const [key, value] of memos) store.setMemo(key, value);
  }

  const worker = new Worker(paths.reader, { workerData: code });
  const beside = (async () => {
    await once(worker, 'online');
    for (let posts = next(); posts.length > 0; posts = next()) {
      worker.postMessage(posts);
      const [reading] = (await once(worker, 'message')) as [Reading];
      remember(reading);
    }
  })();
  for (let posts = next(); posts.length > 0; posts = next()) {
    remember(readPosts(posts, code));
    // What the other thread has read comes in between.
    await turn();
  }
  await beside;
  await worker.terminate();
}
