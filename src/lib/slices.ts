import { setImmediate } from 'node:timers/promises';

/** Milliseconds that a visitor who comes meanwhile does not feel. */
const slice = 8;

/**
 * Cuts long work into slices.
 *
 * @returns a function to await between two steps: once a slice is full, it lets everything else have its turn
 */
export function slices(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < slice) return;
    await setImmediate();
    began = performance.now();
  };
}
