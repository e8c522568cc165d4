import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '../leads/temporary-folder.ts';
import { buildCache } from './build-cache.ts';

test('what was made once is made by no later build, and never by two that run at once', async () => {
  const dir = join(temporaryFolder(), 'cache');
  let made = 0;
  const make = async () => {
    made += 1;
    return Buffer.from('bytes');
  };
  const first = buildCache(dir);
  const both = await Promise.all([first.keep('a.png', make), first.keep('a.png', make)]);
  const later = await buildCache(dir).keep('a.png', make);
  expect([...both, later].map(String)).toEqual(['bytes', 'bytes', 'bytes']);
  expect(made).toBe(1);
  expect(readdirSync(dir)).toEqual(['a.png']);
});

test('what cannot be made is not kept', async () => {
  const dir = temporaryFolder();
  const failing = () => Promise.reject(new Error('no'));
  await expect(buildCache(dir).keep('a.png', failing)).rejects.toThrow('no');
  expect(await buildCache(dir).keep('a.png', async () => Buffer.from('yes'))).toEqual(Buffer.from('yes'));
});

test('what no build has used for 30 days goes', async () => {
  const dir = temporaryFolder();
  const cache = buildCache(dir);
  const longAgo = new Date(Date.now() - 31 * 24 * 3600 * 1000);
  for (const name of ['old', 'used']) {
    writeFileSync(join(dir, name), name);
    utimesSync(join(dir, name), longAgo, longAgo);
  }
  await cache.keep('used', () => Promise.reject(new Error('It is there.')));
  await cache.prune();
  expect(readdirSync(dir)).toEqual(['used']);
});
