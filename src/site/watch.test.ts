import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { atEnd } from '../testing/at-end.ts';
import { eventually } from '../testing/eventually.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { stateOf, watchFolder } from './watch.ts';

test('what was saved before anybody watched is told of once, and so is what is saved later', async () => {
  const dir = temporaryFolder();
  const state = await stateOf(dir);
  writeFileSync(join(dir, 'early.md'), 'Пока процесс начинался');
  let told = 0;
  const watching = watchFolder(dir, state, () => {
    told += 1;
  });
  atEnd(() => watching.stop());
  await eventually(() => told, 1, 'what was saved early');
  writeFileSync(join(dir, 'late.md'), 'Потом');
  await eventually(() => told > 1, true, 'what was saved late');
});

test('a folder that cannot be read has a state, too, and differs from one that can', async () => {
  const dir = temporaryFolder();
  expect(await stateOf(join(dir, 'nowhere'))).not.toBe(await stateOf(dir));
});
