import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '../tests/support/temporary-folder.ts';
import { makeFolder, replaceFile } from './files.ts';

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
