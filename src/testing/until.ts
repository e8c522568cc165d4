import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds: enough for the slowest machine, less than a test may take. */
const usualPatience = 20_000;

/**
 * Waits for what comes in its own time.
 *
 * @param what is awaited, as it stands in the error
 * @throws if it does not come within `patience` milliseconds, 20 s unless told otherwise
 */
export async function until(
  done: () => boolean | Promise<boolean>,
  what = 'what the test waits for',
  patience = usualPatience,
): Promise<void> {
  const end = performance.now() + patience;
  while (!(await done())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${patience / 1000} s.`);
    await sleep(10);
  }
}
