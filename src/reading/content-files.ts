import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Hash, hashOf } from '../lib/hash.ts';
import { ContentError } from './problem.ts';

/** One file that an editor wrote. */
export type ContentFile = {
  hash: Hash;
  bytes(): Buffer;
  /** Why it cannot be read, in Russian; then it has no bytes. */
  unread?: string;
};

/** Every file of a content by its path within the folder, with forward slashes, in the same order on every machine. */
export type ContentFiles = ReadonlyMap<string, ContentFile>;

/**
 * Reads a folder once: all that is made of it is made of these very bytes. Files and folders whose names begin with
 * a dot, and files that end with `~`, are no content; editors leave some. Nor is a `README.md`, which tells them how to
 * write it.
 *
 * @throws {ContentError} if there is no such folder
 */
export function readFolder(dir: string): ContentFiles {
  try {
    return new Map(filesBelow(dir, '').sort(([a], [b]) => (a < b ? -1 : 1)));
  } catch (error) {
    const why = Error.isError(error) ? error.message : String(error);
    throw new ContentError([{ file: dir, line: 1, field: '', message: `Папку не прочитать: ${why}.` }]);
  }
}

/** Names a content: the same files give the same name on every machine. */
export function revisionOf(files: ContentFiles): Hash {
  return hashOf(JSON.stringify([...files].map(([name, { hash }]) => [name, hash])));
}

/** Links are reported, not followed: they may lead in a circle. @param above with a slash, unless it is the root */
function filesBelow(dir: string, above: string): [name: string, file: ContentFile][] {
  return readdirSync(join(dir, above), { withFileTypes: true }).flatMap((entry): [string, ContentFile][] => {
    const name = above + entry.name;
    if (/^\.|^README\.md$|~$/.test(entry.name)) return [];
    if (entry.isFile()) return [[name, fileAt(join(dir, name))]];
    if (entry.isSymbolicLink()) return [[name, unread('Это ссылка на другой файл или папку. Положите сюда сам файл.')]];
    if (!entry.isDirectory()) return [];
    const inside = filesBelow(dir, `${name}/`);
    if (!/\.(md|yaml)$/.test(name)) return inside;
    return [[name, unread('Это папка, а по названию файл. Переименуйте её.')], ...inside];
  });
}

/** Photographs would fill the memory, and are looked at once. */
const photograph = /\.(png|jpe?g|webp)$/i;

function fileAt(path: string): ContentFile {
  try {
    const bytes = readFileSync(path);
    return { hash: hashOf(bytes), bytes: photograph.test(path) ? () => readFileSync(path) : () => bytes };
  } catch (error) {
    return unread(`Файл не прочитать: ${Error.isError(error) ? error.message : String(error)}.`);
  }
}

function unread(why: string): ContentFile {
  return { hash: hashOf(''), bytes: () => Buffer.alloc(0), unread: why };
}
