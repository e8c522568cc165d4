import { relative } from 'node:path';
import type { AggregatedResult, Reporter } from '@jest/reporters';
import { installCommand, isProgram } from '../src/testing/programs.ts';
import type { SuiteResult } from './jest-runner.ts';

const maxSuitesListed = 15;

/** Where this is set, tests that are skipped because a program is missing count as failed. */
const requirePrograms = process.env.REQUIRE_PROGRAMS === 'true';

/** Prints the slowest suites, what was skipped and why, and one last line that is easy to parse. */
export default class PlainSummary implements Pick<Reporter, 'onRunComplete' | 'getLastError'> {
  #skipped = new Map<string, number>();

  onRunComplete(_contexts: unknown, results: AggregatedResult): void {
    const suites = results.testResults as Partial<SuiteResult>[];
    for (const [missing, count] of suites.flatMap(({ skippedTests = {} }) => Object.entries(skippedTests))) {
      this.#skipped.set(missing, (this.#skipped.get(missing) ?? 0) + count);
    }
    const lines = [...timesOf(results), ...this.#skippedLines(), this.#lastLine(results)];
    // Jest prints its own summary after the last reporter.
    process.on('exit', () => process.stdout.write(`${lines.join('\n')}\n`));
  }

  /** Makes Jest exit with a failure. */
  getLastError(): Error | undefined {
    if (!requirePrograms || this.#skipped.size === 0) return undefined;
    return new Error('Tests were skipped because programs are missing.');
  }

  #skippedLines(): string[] {
    if (this.#skipped.size === 0) return [];
    const missing = [...new Set([...this.#skipped.keys()].flatMap((names) => names.split(', ')))].filter(isProgram);
    return [
      'Skipped, because this machine lacks:',
      ...[...this.#skipped].sort().map(([names, count]) => `${String(count).padStart(6)}  ${names}`),
      ...(missing.length > 0 ? [`To run them too: ${installCommand(missing)}`] : []),
      '',
    ];
  }

  #lastLine(results: AggregatedResult): string {
    const lacking = [...this.#skipped.values()].reduce((sum, count) => sum + count, 0);
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites + (requirePrograms ? lacking : 0);
    const skipped = results.numPendingTests - (requirePrograms ? lacking : 0);
    return `${results.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  }
}

function timesOf(results: AggregatedResult): string[] {
  const suites = results.testResults.map((result) => ({
    project: result.displayName?.name ?? '',
    name: relative('src', result.testFilePath),
    wallSeconds: result.perfStats.runtime / 1000,
    processorSeconds: (result as Partial<SuiteResult>).processorSeconds ?? 0,
  }));
  const row = (name: string, { wallSeconds, processorSeconds }: Omit<(typeof suites)[number], 'project' | 'name'>) =>
    `${wallSeconds.toFixed(1).padStart(7)} s ${processorSeconds.toFixed(1).padStart(7)} s of a processor  ${name}`;
  const slowest = suites.toSorted((a, b) => b.wallSeconds - a.wallSeconds).slice(0, maxSuitesListed);
  const projects = [...Map.groupBy(suites, ({ project }) => project)].map(([project, its]) => {
    const sum = (of: 'wallSeconds' | 'processorSeconds') => its.reduce((total, suite) => total + suite[of], 0);
    const times = { wallSeconds: sum('wallSeconds'), processorSeconds: sum('processorSeconds') };
    return row(`${project}: ${its.length} suites`, times);
  });
  return [
    ...(suites.length > maxSuitesListed ? ['', ...slowest.map((suite) => row(suite.name, suite))] : []),
    ...['', ...projects, ''],
  ];
}
