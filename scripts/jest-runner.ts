import { readFileSync } from 'node:fs';
import type { TestResult } from '@jest/test-result';
import runner from 'jest-circus/runner';

export type MeasuredResult = TestResult & {
  /** In seconds of a processor, with all processes that the suite has started and that have ended. */
  processor: number;
};

/** Of this process, and of all whose end it has seen, in hundredths of a second: see proc_pid_stat(5). */
function used(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
}

// Otherwise Node takes its memory apart, with the modules of dozens of suites, for longer than Jest waits.
process.once('beforeExit', () => process.exit());

/** Jest's own runner, which also says how long a suite has kept a processor busy. */
export default async function runMeasured(...given: unknown[]): Promise<MeasuredResult> {
  const before = used();
  const result = await runner.default(...given);
  return { ...result, processor: (used() - before) / 100 };
}
