import { deepStrictEqual } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

/**
 * Reads until it is what is wanted, `true` unless told otherwise. Waits for 20 seconds at most, enough for the slowest
 * machine and less than a test may take.
 *
 * @param what is awaited, as it stands in the error
 * @throws with the difference if it does not come within `patience` milliseconds
 */
export async function eventually<T>(
  read: () => T | Promise<T>,
  wanted: unknown = true,
  what = 'what the test waits for',
  patience = 20_000,
): Promise<void> {
  const end = performance.now() + patience;
  for (;;) {
    const value = await read();
    if (isDeepStrictEqual(value, wanted)) return;
    if (performance.now() > end) deepStrictEqual({ [what]: value }, { [what]: wanted });
    await sleep(10);
  }
}
