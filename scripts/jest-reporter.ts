import { relative } from 'node:path';
import type { AggregatedResult, Reporter } from '@jest/reporters';
import type { MeasuredResult } from './jest-runner.ts';

const shown = 15;

/** Says which suites take long, and ends with one line that is easy to parse. */
export default class PlainSummary implements Pick<Reporter, 'onRunComplete'> {
  onRunComplete(_contexts: unknown, results: AggregatedResult): void {
    const suites = results.testResults.map((result) => ({
      lane: result.displayName?.name ?? '',
      name: relative('src', result.testFilePath),
      wall: result.perfStats.runtime / 1000,
      processor: (result as Partial<MeasuredResult>).processor ?? 0,
    }));
    const row = (name: string, { wall, processor }: { wall: number; processor: number }) =>
      `${wall.toFixed(1).padStart(7)} s ${processor.toFixed(1).padStart(7)} s of a processor  ${name}`;
    const slowest = suites.toSorted((a, b) => b.wall - a.wall).slice(0, shown);
    const lanes = [...Map.groupBy(suites, ({ lane }) => lane)].map(([lane, its]) => {
      const sum = (of: 'wall' | 'processor') => its.reduce((total, suite) => total + suite[of], 0);
      return row(`${lane}: ${its.length} suites`, { wall: sum('wall'), processor: sum('processor') });
    });
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests > 0 ? `, ${results.numPendingTests} skipped` : '';
    const lines = [
      ...(suites.length > shown ? ['', ...slowest.map((suite) => row(suite.name, suite))] : []),
      ...['', ...lanes, ''],
      `${results.numPassedTests} passed, ${failed} failed${skipped}`,
    ];
    // Jest prints its own summary after the last reporter.
    process.on('exit', () => process.stdout.write(`${lines.join('\n')}\n`));
  }
}
