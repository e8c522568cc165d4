import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Hash, hashOf } from '../lib/hash.ts';
import { messageOf } from '../lib/message-of.ts';
import { ContentError } from './problem.ts';

export const companyFile = 'company.yaml';

export type ContentFile = {
  hash: Hash;
  /** Absolute; undefined for content in memory. */
  path?: string;
  /** @throws {ContentError} if the file has changed since its hash was taken */
  bytes(): Buffer;
  /** Milliseconds since 1970, where it is known. */
  created?: number;
};

/** Keyed by path with forward slashes, in the same order on every machine. */
export type ContentFiles = ReadonlyMap<string, ContentFile>;

/**
 * Everything is built from the bytes that were hashed.
 *
 * @throws {ContentError} for unreadable files and for links, which could form a cycle
 */
export function readFolder(dir: string): ContentFiles {
  requireContent(dir);
  return new Map(namesBelow(dir).map((name) => [name, fileAt(join(dir, name), name)]));
}

/** Like `readFolder`, but a server can answer requests while photographs and videos are read. */
export async function readFolderInTurns(dir: string): Promise<ContentFiles> {
  requireContent(dir);
  const files = new Map<string, ContentFile>();
  for (const name of namesBelow(dir)) {
    const path = join(dir, name);
    files.set(name, isLarge(name) ? fileOf(path, name, await readFile(path)) : fileAt(path, name));
  }
  return files;
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

function namesBelow(dir: string): string[] {
  return namesIn(dir, '').sort();
}

/** @param above ends with a slash unless it is the root */
function namesIn(dir: string, above: string): string[] {
  const entries = reading(join(dir, above), () => readdirSync(join(dir, above), { withFileTypes: true }));
  return entries.flatMap((entry): string[] => {
    const name = above + entry.name;
    if (leftBehind.test(entry.name)) return [];
    if (entry.isDirectory()) return namesIn(dir, `${name}/`);
    if (entry.isFile()) return [name];
    throw unreadable(name, 'Это ссылка на другой файл или папку. Положите сюда сам файл.');
  });
}

/** By text editors (Vim tries a folder with 4913), Git, Windows, macOS and Word. */
const leftBehind =
  /^\.|^~\$|^README\.md$|~$|^#.*#$|\.(?:orig|rej|bak|swp|tmp|BAK|TMP)$|^(?:Thumbs\.db|desktop\.ini|Icon\r|__MACOSX|4913)$/;

/** Photographs and videos are seldom read, so they do not stay in memory. */
const isLarge = (name: string) => /\.(png|jpe?g|webp|gif|avif|mp4)$/i.test(name);

function fileAt(path: string, name: string): ContentFile {
  const bytes = reading(path, () => readFileSync(path));
  return fileOf(path, name, bytes);
}

function fileOf(path: string, name: string, bytes: Buffer): ContentFile {
  const hash = hashOf(bytes);
  const { birthtimeMs: created } = statSync(path);
  return { hash, path: resolve(path), created, bytes: isLarge(name) ? () => readAgain(path, name, hash) : () => bytes };
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
    throw unreadable(file, `Это не прочитать: ${messageOf(error)}.`);
  }
}

function unreadable(file: string, message: string): ContentError {
  return new ContentError([{ file, line: 1, field: '', message }]);
}
