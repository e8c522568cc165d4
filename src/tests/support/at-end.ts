const ends: (() => unknown)[] = [];

// Benches use the same helpers outside of Jest, and end by themselves what they start.
const { afterAll } = globalThis as { afterAll?: (work: () => Promise<void>) => void };
afterAll?.(async () => {
  for (const end of ends.reverse()) await end();
});

/** Has something done when the tests of the file have ended, also if they fail: what was started last ends first. */
export function atEnd(end: () => unknown): void {
  ends.push(end);
}
