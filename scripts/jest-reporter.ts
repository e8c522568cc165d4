import type { AggregatedResult, Reporter } from '@jest/reporters';

/** Ends the run with one plain line that any tool can read. */
export default class PlainSummary implements Pick<Reporter, 'onRunComplete'> {
  onRunComplete(_contexts: unknown, results: AggregatedResult): void {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests > 0 ? `, ${results.numPendingTests} skipped` : '';
    // At exit, because Jest prints its own summary after the last reporter.
    process.on('exit', () => process.stdout.write(`\n${results.numPassedTests} passed, ${failed} failed${skipped}\n`));
  }
}
