import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';

/** Reads until it is what is wanted; fails as `expect` does if it is not within ten seconds. */
export async function eventually<T>(read: () => T | Promise<T>, wanted: T): Promise<void> {
  const until = Date.now() + 10_000;
  for (;;) {
    const value = await read();
    if (isDeepStrictEqual(value, wanted) || Date.now() > until) {
      expect(value).toEqual(wanted);
      return;
    }
    await sleep(25);
  }
}
