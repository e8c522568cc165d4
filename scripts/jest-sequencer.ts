import { statSync } from 'node:fs';
import type { Test } from '@jest/test-result';

/** Starts the suites first that take longest: those in a browser, and then large files. */
export default class LongestFirst {
  sort(tests: readonly Test[]): Test[] {
    const rank = ({ path }: Test) => statSync(path).size + (path.includes('/tests/browser/') ? 1_000_000 : 0);
    return tests.toSorted((a, b) => rank(b) - rank(a));
  }

  /** Jest calls this with the times of a run, which a clean checkout never has. */
  cacheResults(): void {}
}
