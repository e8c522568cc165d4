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
import { minuteMs } from '../lib/calendar.ts';
import { sync } from '../lib/files.ts';
import type { Hash } from '../lib/hash.ts';
import { slices } from '../lib/slices.ts';
import { type ContentFiles, readFolderInSlices, revisionOf } from '../reading/content-files.ts';

/* `DATA_DIR/published` has a folder per revision, named by its hash, and a list. Folders are fsynced and renamed into
   place before they are listed. */

/** Kept for rollbacks. */
const revisionsKept = 20;
const listName = 'revisions.json';

/** `at` is when it was last published or shown, ISO 8601 in UTC. */
export type Revision = { id: Hash; at: string };

/** Newest first; `current` is `null` before anything is published. */
export type Published = { current: Hash | null; revisions: readonly Revision[] };

export function readPublished(folder: string): Published {
  try {
    return JSON.parse(readFileSync(join(folder, listName), 'utf8')) as Published;
  } catch {
    return { current: null, revisions: [] };
  }
}

/** Changes with every publication. */
export function publishedState(folder: string): string {
  try {
    const { mtimeMs, ino, size } = statSync(join(folder, listName));
    return `${mtimeMs} ${ino} ${size}`;
  } catch {
    return '';
  }
}

/** The current revision, then its fallbacks. */
export function candidates({ current, revisions }: Published): Revision[] {
  const from = revisions.findIndex(({ id }) => id === current);
  return from === -1 ? [] : revisions.slice(from);
}

/** @returns `undefined` unless the files match the hash */
export async function readRevision(folder: string, id: Hash): Promise<ContentFiles | undefined> {
  try {
    const files = await readFolderInSlices(join(folder, id));
    return revisionOf(files) === id ? files : undefined;
  } catch {
    return undefined;
  }
}

/** On every server with this folder; resolves once it is on disk. */
export async function publishFiles(folder: string, files: ContentFiles, at: Date): Promise<Revision> {
  const revision = await writeRevision(folder, files, at);
  list(folder, revision, revision.id);
  return revision;
}

/** For rollbacks to the initial content. @param published false for shipped content, which a release replaces */
export async function keepFirst(folder: string, files: ContentFiles, at: Date, published: boolean): Promise<void> {
  const id = revisionOf(files);
  const { current, revisions } = readPublished(folder);
  if (current !== null || (!published && revisions.some((one) => one.id === id))) return;
  const revision = await writeRevision(folder, files, at);
  if (readPublished(folder).current === null) list(folder, revision, published ? id : null);
}

/** @returns `undefined` without an earlier revision */
export function publishBack(folder: string): Revision | undefined {
  const published = readPublished(folder);
  const [, before] = candidates(published);
  if (before) writeList(folder, { ...published, current: before.id });
  return before;
}

function list(folder: string, revision: Revision, current: Hash | null): void {
  const others = readPublished(folder).revisions.filter(({ id }) => id !== revision.id);
  const revisions = [revision, ...others].slice(0, revisionsKept);
  writeList(folder, { current, revisions });
  removeOthers(folder, revisions);
}

async function writeRevision(folder: string, files: ContentFiles, at: Date): Promise<Revision> {
  const id = revisionOf(files);
  const revision = { id, at: at.toISOString() };
  if (await readRevision(folder, id)) return revision;
  const temporary = join(folder, `.${randomUUID()}`);
  const pause = slices();
  try {
    mkdirSync(temporary, { recursive: true });
    for (const [name, file] of files) {
      mkdirSync(dirname(join(temporary, name)), { recursive: true });
      writeDurably(join(temporary, name), file.bytes());
      await pause();
    }
    for (const entry of readdirSync(temporary, { recursive: true, withFileTypes: true })) {
      if (entry.isDirectory()) sync(join(entry.parentPath, entry.name));
    }
    sync(temporary);
    await putInPlace(folder, temporary, id);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return revision;
}

/** Another process may have written it; a damaged one is replaced. */
async function putInPlace(folder: string, temporary: string, id: Hash): Promise<void> {
  const target = join(folder, id);
  try {
    renameSync(temporary, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
    if (await readRevision(folder, id)) return;
    rmSync(target, { recursive: true, force: true });
    renameSync(temporary, target);
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

/** Minutes. */
const abandonedAfter = 60;

function removeOthers(folder: string, kept: readonly Revision[]): void {
  const needed = new Set([listName, ...kept.map(({ id }) => id)]);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (needed.has(name) || !existsSync(path)) continue;
    const age = Date.now() - statSync(path).mtimeMs;
    if (age > abandonedAfter * minuteMs) rmSync(path, { recursive: true, force: true });
  }
}
