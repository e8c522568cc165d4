import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { openEditionStore } from '../store/store.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { editionOf } from '../testing/test-site.ts';
import { polish, unpolished } from './polish.ts';

test('what was polished stays so when the work is cut off, and is not done again', async () => {
  const store = openEditionStore(':memory:', { for: 'make' });
  const { index } = await editionOf({ store });
  const all = unpolished(index, store);
  expect(all.bodies.length).toBeGreaterThan(50);
  expect(all.recipes.length).toBeGreaterThan(10);
  const few = { ...all, bodies: all.bodies.slice(0, 24), pages: [], recipes: all.recipes.slice(0, 1) };
  const shares: number[] = [];
  const cutOff = polish(few, store, (share) => {
    shares.push(share);
    if (shares.length === 2) throw new Error('killed');
  });
  await expect(cutOff).rejects.toThrow('killed');
  const left = unpolished(index, store);
  expect(left.bodies).toHaveLength(all.bodies.length - 16);
  const [first = ''] = all.bodies;
  expect(store.stored(first, ['br'])?.encoding).toBe('br');
  // A body is the same whatever it is packed by.
  const before = store.bytes(first)?.toString();
  await polish(
    { ...left, bodies: left.bodies.slice(0, 8), pages: [], recipes: left.recipes.slice(0, 1) },
    store,
    () => {},
  );
  expect(unpolished(index, store).bodies).toHaveLength(all.bodies.length - 24);
  expect(unpolished(index, store).recipes).toHaveLength(all.recipes.length - 1);
  expect(store.bytes(first)?.toString()).toBe(before);
  expect(shares).toEqual([expect.any(Number), expect.any(Number)]);
}, 60_000);

test('other processes write while bodies are compressed', async () => {
  const file = join(temporaryFolder(), 'editions.sqlite');
  const store = openEditionStore(file, { for: 'make' });
  const { index } = await editionOf({ store });
  const all = unpolished(index, store);
  const few = { ...all, bodies: all.bodies.slice(0, 16), pages: all.pages.slice(0, 16), recipes: [] };
  const other = openEditionStore(file, { for: 'serve' });
  let working = true;
  const polishing = polish(few, store, () => {}).finally(() => {
    working = false;
  });
  const refused: number[] = [];
  let tries = 0;
  // A lease is written at once or not at all.
  for (; working; tries++) {
    if (!other.lease('publish', 'another', 1_000)) refused.push(tries);
    await turn();
  }
  await polishing;
  expect([tries > 50, refused]).toEqual([true, []]);
  other.close();
  store.close();
}, 60_000);
