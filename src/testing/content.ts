import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hashOf } from '../lib/hash.ts';
import { paths } from '../lib/paths.ts';
import { type ContentFiles, readFolder } from '../reading/content-files.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What becomes of a file, which is empty if there is none yet; `undefined` takes it away, or a folder. */
export type Change = (text: string) => string | Buffer | undefined;

/** The content that ships with some files written, changed or taken away. */
export function contentWith(
  changes: Readonly<Record<string, Change>>,
  before: ContentFiles = readFolder(paths.content),
): ContentFiles {
  const files = new Map(before);
  for (const [name, change] of Object.entries(changes)) {
    const text = textOf(files, name);
    const written = change(text);
    if (files.has(name) && written === text) throw new Error(`${name} was not changed.`);
    if (written === undefined) {
      for (const one of files.keys()) if (one === name || one.startsWith(`${name}/`)) files.delete(one);
    } else {
      const bytes = Buffer.from(written);
      files.set(name, { hash: hashOf(bytes), bytes: () => bytes });
    }
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The same in a folder, for other processes. */
export function contentFolder(changes: Readonly<Record<string, Change>> = {}): string {
  const dir = temporaryFolder();
  for (const [name, { bytes }] of contentWith(changes)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), bytes());
  }
  return dir;
}

function textOf(files: ContentFiles, name: string): string {
  return files.get(name)?.bytes().toString() ?? '';
}

/** Where a text stands in a file, counted from 1; 0 if it does not. */
export function lineOf(files: ContentFiles, name: string, needle: string): number {
  const lines = textOf(files, name).split('\n');
  return lines.findIndex((line) => line.includes(needle)) + 1;
}
