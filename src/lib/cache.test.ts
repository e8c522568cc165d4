import { expect, jest, test } from '@jest/globals';
import { createCache } from './cache.ts';

test('computes the value of a key once, even if it is undefined', () => {
  const cache = createCache();
  const make = jest.fn<() => string | undefined>(() => undefined);
  for (let n = 0; n < 3; n += 1) expect(cache.get('a', make)).toBeUndefined();
  expect(make).toHaveBeenCalledTimes(1);
});

test('keeps the keys that are read between two sweeps, and evicts the others', () => {
  const cache = createCache();
  let made = 0;
  const read = (key: string) =>
    cache.get(key, () => {
      made += 1;
      return `${key}${made}`;
    });
  expect([read('a'), read('b')]).toEqual(['a1', 'b2']);
  cache.sweep();
  expect(read('a')).toBe('a1');
  cache.sweep();
  expect([read('a'), read('b')]).toEqual(['a1', 'b3']);
});
