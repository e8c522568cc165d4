import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '../tests/support/temporary-folder.ts';
import { filesBelow, makeFolder, replaceFile } from './files.ts';

test('lists the files in a folder and its subfolders, sorted by path', () => {
  const dir = temporaryFolder();
  mkdirSync(join(dir, 'b'));
  for (const name of ['c', 'b/a', 'a']) writeFileSync(join(dir, name), '');
  expect(filesBelow(dir)).toEqual(['a', 'b/a', 'c'].map((name) => join(dir, name)));
});

test('creates a folder and its parents with mode 711, and leaves an existing folder unchanged', () => {
  const dir = join(temporaryFolder(), 'above', 'below');
  makeFolder(dir);
  expect(statSync(dir).mode & 0o777).toBe(0o711);
  chmodSync(dir, 0o700);
  makeFolder(dir);
  expect(statSync(dir).mode & 0o777).toBe(0o700);
});

test('writes or replaces a file, and leaves no other file in the folder', () => {
  const dir = temporaryFolder();
  const path = join(dir, 'file');
  for (const text of ['before', 'after']) {
    replaceFile(path, text);
    expect(readFileSync(path, 'utf8')).toBe(text);
  }
  expect(readdirSync(dir)).toEqual(['file']);
});

test('leaves no temporary file when it cannot replace the target', () => {
  const dir = temporaryFolder();
  mkdirSync(join(dir, 'folder', 'within'), { recursive: true });
  expect(() => replaceFile(join(dir, 'folder'), 'text')).toThrow();
  expect(readdirSync(dir)).toEqual(['folder']);
});
