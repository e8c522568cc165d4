import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { exclusively, type Waiting } from '../lib/exclusively.ts';
import { makeFolder, replaceFile, sync } from '../lib/files.ts';
import type { Hash } from '../lib/hash.ts';
import { type ContentFiles, readFolderInTurns, revisionOf } from '../loading/content-files.ts';
import { clearFailedPublication } from './failed-publication.ts';

/*
 * `DATA_DIR/published` holds a list, and a folder per revision named by its hash. Folders are synced and renamed before
 * they are listed.
 */

/** For rollbacks. */
export const maxRevisions = 10;
const listName = 'revisions.json';

/** `at` is when it was last published, ISO 8601 in UTC. */
export type Revision = { id: Hash; at: string };

/** The last published first, then those shown before; `current` is `null` until something is published. */
export type Published = {
  current: Hash | null;
  revisions: readonly Revision[];
  /** The list is; these are the folders there are, the newest as the current one. */
  damaged?: true;
};

const id = z.string().regex(/^[0-9a-f]{32}$/);
const listSchema = z
  .object({ current: id, revisions: z.array(z.object({ id, at: z.iso.datetime() })) })
  .refine(({ current, revisions }) => revisions.some((revision) => revision.id === current));

/** Differs after every publication; `undefined` before the first. */
export type ListText = string | undefined;

/** @throws if there is a list that cannot be read */
export function readList(folder: string): ListText {
  try {
    return readFileSync(join(folder, listName), 'utf8');
  } catch (error) {
    if (Error.isError(error) && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

export function readPublished(folder: string, list: ListText = readList(folder)): Published {
  if (list === undefined) return { current: null, revisions: [] };
  try {
    return listSchema.parse(JSON.parse(list));
  } catch {
    const revisions = foldersIn(folder);
    return { current: revisions[0]?.id ?? null, revisions, damaged: true };
  }
}

function foldersIn(folder: string): Revision[] {
  return readdirSync(folder)
    .filter((name) => id.safeParse(name).success)
    .map((name) => ({ id: name, at: statSync(join(folder, name)).mtime.toISOString() }))
    .sort((a, b) => (a.at < b.at ? 1 : -1));
}

export function candidates({ current, revisions }: Published): Revision[] {
  const from = revisions.findIndex(({ id }) => id === current);
  return from === -1 ? [] : revisions.slice(from);
}

/** @returns `undefined` unless the files match the hash */
export async function readRevision(folder: string, id: Hash): Promise<ContentFiles | undefined> {
  try {
    const files = await readFolderInTurns(join(folder, id));
    return revisionOf(files) === id ? files : undefined;
  } catch {
    return undefined;
  }
}

/**
 * On every server with this folder; resolves once on disk.
 *
 * @throws {ContentError} if a file has changed since it was read; nothing is listed then
 * @param waiting for other publications
 */
export function publishFiles(folder: string, files: ContentFiles, at: Date, waiting?: Waiting): Promise<void> {
  const id = revisionOf(files);
  const work = async () => {
    removeUnfinished(folder);
    const { current, revisions } = readPublished(folder);
    if ((await readRevision(folder, id)) === undefined) await writeRevision(folder, id, files);
    const others = revisions.filter((revision) => revision.id !== id);
    // The revision that visitors saw comes next, so that the next publications do not remove it.
    const shownBefore = others.filter((revision) => revision.id === current);
    const rest = others.filter((revision) => revision.id !== current);
    const all = [{ id, at: at.toISOString() }, ...shownBefore, ...rest];
    writeList(folder, { current: id, revisions: all.slice(0, maxRevisions) });
    clearFailedPublication(folder);
    for (const old of all.slice(maxRevisions)) rmSync(join(folder, old.id), { recursive: true, force: true });
  };
  return alone(folder, work, waiting);
}

/** @throws if the revision has been removed */
export function publishAgain(folder: string, id: Hash, waiting?: Waiting): Promise<void> {
  const work = async () => {
    const { revisions } = readPublished(folder);
    if (!revisions.some((revision) => revision.id === id)) throw new Error(`${id} is no longer listed.`);
    writeList(folder, { current: id, revisions });
  };
  return alone(folder, work, waiting);
}

/** Another process could change the list after it was read, or remove a revision before it is listed. */
function alone(folder: string, work: () => Promise<void>, waiting?: Waiting): Promise<void> {
  makeFolder(folder);
  return exclusively(join(folder, '.lock'), work, waiting);
}

const unfinished = /^\.[\da-f-]{36}$/;

/** A process that was killed leaves such a folder. The caller has the lock, so no process writes into one. */
function removeUnfinished(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    // `keepFailedPublication` writes such a file without the lock.
    if (entry.isDirectory() && unfinished.test(entry.name)) rmSync(join(folder, entry.name), { recursive: true });
  }
}

async function writeRevision(folder: string, id: Hash, files: ContentFiles): Promise<void> {
  const temporary = join(folder, `.${randomUUID()}`);
  // In parallel, because a disk flushes many files as fast as one.
  const writing = Array.from(files, async ([name, file]) => {
    const path = join(temporary, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, file.bytes(), { flush: true });
  });
  try {
    await Promise.all(writing);
    for (const entry of readdirSync(temporary, { recursive: true, withFileTypes: true })) {
      if (entry.isDirectory()) sync(join(entry.parentPath, entry.name));
    }
    sync(temporary);
    // A damaged one may be there.
    rmSync(join(folder, id), { recursive: true, force: true });
    renameSync(temporary, join(folder, id));
  } finally {
    // After one has failed, the others still write into the folder.
    await Promise.allSettled(writing);
    rmSync(temporary, { recursive: true, force: true });
  }
}

function writeList(folder: string, published: Published): void {
  replaceFile(join(folder, listName), `${JSON.stringify(published, undefined, 2)}\n`);
}
