import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Hash, hashOf } from '../lib/hash.ts';
import { ContentError } from './problem.ts';

/** One file that an editor wrote. */
export type ContentFile = { hash: Hash; bytes(): Buffer };

/** Every file of a content by its path within the folder, with forward slashes, in the same order on every machine. */
export type ContentFiles = ReadonlyMap<string, ContentFile>;

/**
 * Reads a folder once: all that is made of it is made of these very bytes. Files and folders whose names begin with
 * a dot, and files that end with `~`, are no content; editors leave some. Nor is a `README.md`, which tells them how to
 * write it.
 *
 * @throws {ContentError} if something cannot be read, or is a link, which might lead in a circle
 */
export function readFolder(dir: string): ContentFiles {
  return new Map(filesBelow(dir, '').sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Names a content: the same files give the same name on every machine. */
export function revisionOf(files: ContentFiles): Hash {
  return hashOf(JSON.stringify([...files].map(([name, { hash }]) => [name, hash])));
}

/** @param above with a slash, unless it is the root */
function filesBelow(dir: string, above: string): [name: string, file: ContentFile][] {
  const entries = reading(join(dir, above), () => readdirSync(join(dir, above), { withFileTypes: true }));
  return entries.flatMap((entry): [string, ContentFile][] => {
    const name = above + entry.name;
    if (/^\.|^README\.md$|~$/.test(entry.name)) return [];
    if (entry.isDirectory()) return filesBelow(dir, `${name}/`);
    if (entry.isFile()) return [[name, fileAt(join(dir, name))]];
    throw unreadable(name, 'Это ссылка на другой файл или папку. Положите сюда сам файл.');
  });
}

/** Photographs would fill the memory, and are looked at once. */
const photograph = /\.(png|jpe?g|webp)$/i;

function fileAt(path: string): ContentFile {
  const bytes = reading(path, () => readFileSync(path));
  return { hash: hashOf(bytes), bytes: photograph.test(path) ? () => readFileSync(path) : () => bytes };
}

function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw unreadable(path, `Это не прочитать: ${Error.isError(error) ? error.message : String(error)}.`);
  }
}

function unreadable(file: string, message: string): ContentError {
  return new ContentError([{ file, line: 1, field: '', message }]);
}
