import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { readFolder } from './content-files.ts';

test('what editors leave, and what tells them how to write, is no content', () => {
  const dir = temporaryFolder();
  for (const folder of ['news', '.git']) mkdirSync(join(dir, folder));
  const content = ['README-first.md', 'news/a.md', 'news/readme.md'];
  const others = ['README.md', 'news/README.md', '.DS_Store', 'news/.a.md.swp', '.git/config', 'news/a.md~'];
  for (const name of [...others, ...content]) writeFileSync(join(dir, name), name);
  expect([...readFolder(dir).keys()]).toEqual(content);
});

test('links are told of and not followed', () => {
  const dir = temporaryFolder();
  symlinkSync(dir, join(dir, 'loop'));
  expect(() => readFolder(dir)).toThrow('loop:1: Это ссылка на другой файл или папку. Положите сюда сам файл.');
});
