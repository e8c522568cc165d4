import { deepStrictEqual } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

/**
 * Calls `read` until it returns what is wanted. Waits for a minute, which a busy machine may need.
 *
 * @param what names what the test waits for, in the error
 * @throws with the difference if it does not come in time
 */
export async function eventually<T>(
  read: () => T | Promise<T>,
  wanted: unknown = true,
  what = 'what the test waits for',
  timeoutMs = 60_000,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (isDeepStrictEqual(value, wanted)) return;
    if (performance.now() > end) deepStrictEqual({ [what]: value }, { [what]: wanted });
    await sleep(10);
  }
}
