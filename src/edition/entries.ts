import type { Hash } from '../lib/hash.ts';

/** One address of an edition, and how it is answered. */
export type Entry = {
  path: string;
  /** Position of how it is sent, in the index. */
  profile: number;
  /** Of its body, or of the recipe of what follows later. */
  hash: Hash;
  recipe: boolean;
  /** Of a page: the part of its share picture's address that changes; else empty. */
  shareMark: string;
};

/*
 * Entries are kept as text, a line each, sorted: one is found without making objects of all, of which some thousand
 * addresses would fill a server's memory.
 */

/** A character that no address holds, and that comes before all that it may hold. */
const separator = '\t';
const lineEnd = 0x0a;

export function writeEntries(entries: readonly Entry[]): string {
  return entries
    .map(({ path, profile, hash, recipe, shareMark }) =>
      [path, profile, hash, recipe ? 'recipe' : 'body', shareMark].join(separator),
    )
    .sort()
    .map((line) => `${line}\n`)
    .join('');
}

export function readEntries(text: Buffer): Entry[] {
  return text.toString().split('\n').slice(0, -1).map(readLine);
}

function readLine(line: string): Entry {
  const [path = '', profile, hash = '', kind, shareMark = ''] = line.split(separator);
  return { path, profile: Number(profile), hash, recipe: kind === 'recipe', shareMark };
}

/** @param text as `writeEntries` makes it */
export function findEntry(text: Buffer, path: string): Entry | undefined {
  const wanted = Buffer.from(path + separator);
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const start = middle === 0 ? 0 : text.lastIndexOf(lineEnd, middle - 1) + 1;
    const end = text.indexOf(lineEnd, middle);
    const order = text.compare(wanted, 0, wanted.length, start, Math.min(start + wanted.length, end));
    if (order === 0) {
      const entry = readLine(text.toString('utf8', start, end));
      return entry.path === path ? entry : undefined;
    }
    if (order < 0) low = end + 1;
    else high = start;
  }
  return undefined;
}
