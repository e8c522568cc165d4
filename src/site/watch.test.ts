import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { changesIn, stateOf } from './watch.ts';

test('what is saved is told of once, when it has been quiet', async () => {
  const dir = temporaryFolder();
  const changed = changesIn(dir);
  expect([await changed(), await changed()]).toEqual([false, false]);
  writeFileSync(join(dir, 'new.md'), 'Начало');
  expect(await changed()).toBe(false);
  writeFileSync(join(dir, 'new.md'), 'Начало и конец');
  expect([await changed(), await changed(), await changed()]).toEqual([false, true, false]);
});

test('a folder that cannot be read has a state, too, and differs from one that can', async () => {
  const dir = temporaryFolder();
  expect(await stateOf(join(dir, 'nowhere'))).not.toBe(await stateOf(dir));
});
