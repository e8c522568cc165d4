import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { atEnd } from '../testing/at-end.ts';
import { eventually } from '../testing/eventually.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { stateOf, watchFolder } from './watch.ts';

test('what is saved is told of once it has been quiet', async () => {
  const dir = temporaryFolder();
  let told = 0;
  const watching = watchFolder(dir, () => {
    told += 1;
  });
  atEnd(() => watching.stop());
  for (const words of ['Начало', 'Начало и конец']) writeFileSync(join(dir, 'new.md'), words);
  await eventually(() => told, 1, 'what was saved');
  writeFileSync(join(dir, 'new.md'), 'Потом');
  await eventually(() => told, 2, 'what was saved later');
});

test('a folder that cannot be read has a state, too, and differs from one that can', async () => {
  const dir = temporaryFolder();
  expect(await stateOf(join(dir, 'nowhere'))).not.toBe(await stateOf(dir));
});
