import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two tries. */
export const retryMs = 20;

/** SQLite's primary result code for a file that another process holds. */
export const busy = 5;

/**
 * Tries again where SQLite's own waiting does not: while a file becomes a WAL database, or the last process leaves it.
 *
 * @param patience milliseconds
 */
export function waitingForOthers<T>(patience: number, work: () => T): T {
  const until = performance.now() + patience;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (resultCode(error) !== busy || performance.now() > until) throw error;
      pause();
    }
  }
}

/**
 * The same without blocking the process.
 *
 * @param patience milliseconds
 */
export async function unlessHeld<T>(patience: number, work: () => T): Promise<T> {
  const until = performance.now() + patience;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (resultCode(error) !== busy || performance.now() > until) throw error;
    }
    await sleep(retryMs);
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs);
}

/** The primary result code of an error of SQLite; 0 for any other. */
export function resultCode(error: unknown): number {
  return Error.isError(error) && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
}
