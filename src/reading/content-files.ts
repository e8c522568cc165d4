import { readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { filesBelow } from '../lib/files.ts';
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
 * @throws {ContentError} if there is no such folder
 */
export function readFolder(dir: string): ContentFiles {
  try {
    const names = filesBelow(dir).map((name) =>
      name
        .slice(dir.length + 1)
        .split(sep)
        .join('/'),
    );
    const shown = names.filter((name) => !/(^|\/)(\.|README\.md$)|~$/.test(name));
    return new Map(shown.map((name) => [name, fileOf(readFileSync(`${dir}/${name}`))]));
  } catch (error) {
    const found = Error.isError(error) ? error.message : String(error);
    throw new ContentError([{ file: dir, line: 1, field: '', expected: 'a folder that can be read', found }]);
  }
}

function fileOf(bytes: Buffer): ContentFile {
  return { hash: hashOf(bytes), bytes: () => bytes };
}
