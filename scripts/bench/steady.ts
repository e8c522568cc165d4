import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Sends so many requests a second, even if they fail or wait, until it is told to stop.
 *
 * @param send is given the number of the request, from 0; it must not reject
 * @returns a function that resolves to milliseconds of each request, from when it was due
 */
export function steadily(perSecond: number, send: (number: number) => Promise<void>): () => Promise<number[]> {
  const waits: number[] = [];
  const pending = new Set<Promise<void>>();
  const begun = performance.now();
  let stopped = false;

  async function one(number: number, due: number): Promise<void> {
    await send(number);
    waits.push(performance.now() - due);
  }
  async function all(): Promise<void> {
    for (let number = 0; !stopped; number++) {
      const due = begun + (number * 1_000) / perSecond;
      if (due > performance.now()) await sleep(due - performance.now());
      const sent = one(number, due).finally(() => pending.delete(sent));
      pending.add(sent);
    }
  }

  const sending = all();
  return async () => {
    stopped = true;
    await sending;
    await Promise.all(pending);
    return waits;
  };
}
