const ends: (() => unknown)[] = [];

// Benches use these helpers without Jest, and stop what they have started.
const { afterAll } = globalThis as { afterAll?: (work: () => Promise<void>) => void };
afterAll?.(async () => {
  for (const end of ends.reverse()) await end();
});

/** Runs a function after the tests of the file, even if they fail. The last one registered runs first. */
export function atEnd(end: () => unknown): void {
  ends.push(end);
}
