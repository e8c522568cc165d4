import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Hash, hashOf } from '../lib/hash.ts';
import { ContentError } from './problem.ts';

export const companyFile = 'company.yaml';

export type ContentFile = {
  hash: Hash;
  /** Absolute; content made in memory has none. */
  path?: string;
  /** @throws {ContentError} if the file has changed since its hash was taken */
  bytes(): Buffer;
  /** Milliseconds since 1970, where it is known. */
  created?: number;
};

/** Keyed by path with forward slashes, in the same order on every machine. */
export type ContentFiles = ReadonlyMap<string, ContentFile>;

/**
 * Everything is built from the bytes that were hashed. Names that start with a dot or end with `~` are left behind by
 * text editors.
 *
 * @throws {ContentError} for unreadable files and for links, which could form a cycle
 */
export function readFolder(dir: string): ContentFiles {
  requireContent(dir);
  return new Map(filesBelow(dir, '').sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** @throws if it is no folder of content; a wrong one may be the whole disk */
export function requireContent(dir: string): void {
  if (existsSync(join(dir, companyFile))) return;
  const remedy = 'name a folder of content, such as a copy of src/content';
  throw new Error(`CONTENT_DIR: ${dir} has no ${companyFile} that this user can read; ${remedy}.`);
}

export function revisionOf(files: ContentFiles): Hash {
  return hashOf(JSON.stringify([...files].map(([name, { hash }]) => [name, hash])));
}

/** @param above ends with a slash unless it is the root */
function filesBelow(dir: string, above: string): [name: string, file: ContentFile][] {
  const entries = reading(join(dir, above), () => readdirSync(join(dir, above), { withFileTypes: true }));
  return entries.flatMap((entry): [string, ContentFile][] => {
    const name = above + entry.name;
    if (/^\.|^README\.md$|~$/.test(entry.name)) return [];
    if (entry.isDirectory()) return filesBelow(dir, `${name}/`);
    if (entry.isFile()) return [[name, fileAt(join(dir, name), name)]];
    throw unreadable(name, 'Это ссылка на другой файл или папку. Положите сюда сам файл.');
  });
}

/** Photographs and videos are seldom read, so they do not stay in memory. */
const large = /\.(png|jpe?g|webp|mp4|webm)$/i;

function fileAt(path: string, name: string): ContentFile {
  const bytes = reading(path, () => readFileSync(path));
  const hash = hashOf(bytes);
  const { birthtimeMs: created } = statSync(path);
  return {
    hash,
    path: resolve(path),
    created,
    bytes: large.test(path) ? () => readAgain(path, name, hash) : () => bytes,
  };
}

function readAgain(path: string, name: string, hash: Hash): Buffer {
  const bytes = reading(name, () => readFileSync(path));
  if (hashOf(bytes) === hash) return bytes;
  throw unreadable(name, 'Файл изменился, пока его проверяли. Опубликуйте ещё раз.');
}

function reading<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw unreadable(file, `Это не прочитать: ${Error.isError(error) ? error.message : String(error)}.`);
  }
}

function unreadable(file: string, message: string): ContentError {
  return new ContentError([{ file, line: 1, field: '', message }]);
}
