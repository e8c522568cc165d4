import type { AggregatedResult, Reporter } from '@jest/reporters';

/** Lists tests that passed on retry; the summary is easy to parse. */
export default class PlainSummary implements Pick<Reporter, 'onRunComplete'> {
  onRunComplete(_contexts: unknown, results: AggregatedResult): void {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests > 0 ? `, ${results.numPendingTests} skipped` : '';
    const unsteady = results.testResults
      .flatMap(({ testResults }) => testResults)
      .filter(({ status, invocations = 1 }) => status === 'passed' && invocations > 1)
      .map(({ fullName }) => `Passed at the second try: ${fullName}\n`);
    const summary = `${unsteady.join('')}${results.numPassedTests} passed, ${failed} failed${skipped}`;
    // Jest prints its own summary after the last reporter.
    process.on('exit', () => process.stdout.write(`\n${summary}\n`));
  }
}
