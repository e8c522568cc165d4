import { setImmediate } from 'node:timers/promises';

/** Milliseconds. */
const slice = 8;

/** Await the returned function between steps of a long job; it yields to the event loop every 8 ms. */
export function slices(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < slice) return;
    await setImmediate();
    began = performance.now();
  };
}
