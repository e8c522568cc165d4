import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds: enough for the slowest machine, less than a test may take. */
const patience = 20_000;

/** Waits for what comes in its own time. @throws if it does not come within 20 s, saying what was awaited */
export async function until(done: () => boolean, what: string): Promise<void> {
  const end = performance.now() + patience;
  while (!done()) {
    if (performance.now() > end) throw new Error(`${what}: not within ${patience / 1000} s.`);
    await sleep(10);
  }
}
