import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { changesIn } from './watch.ts';

test('what is saved is told of once, when it has been quiet', async () => {
  const dir = temporaryFolder();
  const changed = changesIn(dir);
  expect([await changed(), await changed()]).toEqual([false, false]);
  writeFileSync(join(dir, 'new.md'), 'Начало');
  expect(await changed()).toBe(false);
  writeFileSync(join(dir, 'new.md'), 'Начало и конец');
  expect([await changed(), await changed(), await changed()]).toEqual([false, true, false]);
});

test('a folder that comes back after it could not be read has changed', async () => {
  const dir = join(temporaryFolder(), 'later');
  const changed = changesIn(dir);
  expect([await changed(), await changed()]).toEqual([false, false]);
  mkdirSync(dir);
  expect([await changed(), await changed()]).toEqual([false, true]);
});
