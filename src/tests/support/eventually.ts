import { deepStrictEqual } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

/** How long tests wait for an expected value. A busy machine may need most of it. */
export const defaultTimeoutMs = 60_000;

/**
 * Calls `read` until it returns the wanted value. Waits for a minute by default.
 *
 * @param what the name of the value, for the error
 * @throws with the difference when the time is over
 */
export async function eventually<T>(
  read: () => T | Promise<T>,
  wanted: unknown = true,
  what = 'what the test waits for',
  timeoutMs = defaultTimeoutMs,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (isDeepStrictEqual(value, wanted)) return;
    if (performance.now() > end) deepStrictEqual({ [what]: value }, { [what]: wanted });
    await sleep(10);
  }
}
