import { readFileSync } from 'node:fs';
import type { TestResult } from '@jest/test-result';
import runner from 'jest-circus/runner';

export type SuiteResult = TestResult & {
  /** Processor time in seconds, with that of all child processes that have ended. */
  processorSeconds: number;
  /** Number of skipped tests by the names of the programs that were missing. */
  skippedTests: Record<string, number>;
};

/** Processor time of this process and its ended children, in hundredths of a second: proc_pid_stat(5). */
function processorTicks(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
}

// Otherwise Node frees the modules of dozens of suites one by one, for longer than Jest waits.
process.once('beforeExit', () => process.exit());

/** Jest's own runner, which also reports the processor time of a suite and what its skipped tests lacked. */
export default async function runSuite(...args: Parameters<typeof runner.default>): Promise<SuiteResult> {
  const before = processorTicks();
  const result = await runner.default(...args);
  const [, , environment] = args;
  return {
    ...result,
    processorSeconds: (processorTicks() - before) / 100,
    skippedTests: environment.global.skippedTests ?? {},
  };
}
