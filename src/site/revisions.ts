import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { sync } from '../lib/files.ts';
import type { Hash } from '../lib/hash.ts';
import { type ContentFiles, readFolderInSlices, revisionOf } from '../reading/content-files.ts';

/*
 * What is published lies in `DATA_DIR/published`: a folder for each revision of the content, named by a hash of its
 * files, and a list of them that says which one visitors see. A folder is whole before it has its name, and on disk
 * before the list names it.
 */

/** Contents that stay, for a way back. */
const revisionsKept = 20;
const listName = 'revisions.json';

/** A content that was published, and when it was last; ISO 8601, UTC. */
export type Revision = { id: Hash; at: string };

/** What was published, newest first; visitors see the current one, unless it cannot be read. */
export type Published = { current: Hash; revisions: readonly Revision[] };

/** @returns `undefined` if nothing was published yet, or the list is damaged */
export function readPublished(folder: string): Published | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, listName), 'utf8')) as Published;
  } catch {
    return undefined;
  }
}

/** Differs as soon as something else was published. */
export function publishedState(folder: string): string {
  try {
    const { mtimeMs, ino, size } = statSync(join(folder, listName));
    return `${mtimeMs} ${ino} ${size}`;
  } catch {
    return '';
  }
}

/** Revisions that a server may show, the best first: the current one, then what was published before it. */
export function candidates({ current, revisions }: Published): Revision[] {
  const from = revisions.findIndex(({ id }) => id === current);
  return revisions.slice(Math.max(0, from));
}

/** @returns `undefined` if a file of it is missing or is not as it was published */
export async function readRevision(folder: string, id: Hash): Promise<ContentFiles | undefined> {
  try {
    const files = await readFolderInSlices(join(folder, id));
    return revisionOf(files) === id ? files : undefined;
  } catch {
    return undefined;
  }
}

/** Makes files what visitors see, on every server with this folder. They are on disk when this resolves. */
export async function publishFiles(folder: string, files: ContentFiles, at: Date): Promise<Revision> {
  const id = revisionOf(files);
  if ((await readRevision(folder, id)) === undefined) writeRevision(folder, id, files);
  const revision = { id, at: at.toISOString() };
  const others = (readPublished(folder)?.revisions ?? []).filter((one) => one.id !== id);
  const revisions = [revision, ...others];
  writeList(folder, { current: id, revisions: revisions.slice(0, revisionsKept) });
  removeOthers(folder, revisions.slice(0, revisionsKept));
  return revision;
}

/** Makes what was published before what visitors see. @returns `undefined` if there is nothing */
export function publishBack(folder: string): Revision | undefined {
  const published = readPublished(folder);
  const [, before] = published ? candidates(published) : [];
  if (published && before) writeList(folder, { ...published, current: before.id });
  return before;
}

function writeRevision(folder: string, id: Hash, files: ContentFiles): void {
  const temporary = join(folder, `.${randomUUID()}`);
  try {
    mkdirSync(temporary, { recursive: true });
    for (const [name, file] of files) {
      mkdirSync(dirname(join(temporary, name)), { recursive: true });
      writeDurably(join(temporary, name), file.bytes());
    }
    for (const entry of readdirSync(temporary, { recursive: true, withFileTypes: true })) {
      if (entry.isDirectory()) sync(join(entry.parentPath, entry.name));
    }
    sync(temporary);
    // What lies there is damaged, or it would not be written.
    rmSync(join(folder, id), { recursive: true, force: true });
    renameSync(temporary, join(folder, id));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function writeList(folder: string, published: Published): void {
  const temporary = join(folder, `.${randomUUID()}`);
  writeDurably(temporary, Buffer.from(`${JSON.stringify(published, undefined, 2)}\n`));
  renameSync(temporary, join(folder, listName));
  sync(folder);
}

function writeDurably(file: string, bytes: Buffer): void {
  const descriptor = openSync(file, 'w');
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Minutes after which what a process was writing belongs to one that was killed. */
const abandonedAfter = 60;

/** Removes revisions that are no longer listed, and what was left half-written. */
function removeOthers(folder: string, kept: readonly Revision[]): void {
  const needed = new Set([listName, ...kept.map(({ id }) => id)]);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (needed.has(name) || !existsSync(path)) continue;
    const age = Date.now() - statSync(path).mtimeMs;
    if (age > abandonedAfter * 60_000) rmSync(path, { recursive: true, force: true });
  }
}
