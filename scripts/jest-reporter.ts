import { relative } from 'node:path';
import type { AggregatedResult, Reporter } from '@jest/reporters';
import { installCommand, isProgram } from '../src/tests/support/programs.ts';
import type { SuiteResult } from './jest-runner.ts';

const maxSuitesListed = 15;

/** Prints the slowest suites, what was skipped and why, and one last line that is easy to parse. */
export default class PlainSummary implements Pick<Reporter, 'onRunComplete' | 'getLastError'> {
  /** With it, tests that were skipped because this machine lacks something count as failed. */
  readonly #requirePrograms = process.env.REQUIRE_PROGRAMS === 'true';
  #skipped: ReadonlyMap<string, number> = new Map();

  onRunComplete(_contexts: unknown, results: AggregatedResult): void {
    this.#skipped = skippedIn(results);
    const lines = [
      ...timesOf(results),
      ...skippedLines(this.#skipped),
      lastLine(results, this.#requirePrograms ? sumOf(this.#skipped) : 0),
    ];
    // Jest prints its own summary after the last reporter.
    process.on('exit', () => process.stdout.write(`${lines.join('\n')}\n`));
  }

  /** Makes Jest exit with a failure. */
  getLastError(): Error | undefined {
    if (!this.#requirePrograms || this.#skipped.size === 0) return undefined;
    return new Error('Tests were skipped because this machine lacks something.');
  }
}

/** The number of skipped tests by what they lacked. */
function skippedIn(results: AggregatedResult): Map<string, number> {
  const suites = results.testResults as Partial<SuiteResult>[];
  const rows = suites.flatMap(({ skippedTests = {} }) => Object.entries(skippedTests));
  const groups = [...Map.groupBy(rows, ([missing]) => missing)];
  return new Map(groups.map(([missing, its]) => [missing, its.reduce((sum, [, count]) => sum + count, 0)]));
}

export function skippedLines(skipped: ReadonlyMap<string, number>): string[] {
  if (skipped.size === 0) return [];
  const missing = new Set([...skipped.keys()].flatMap((names) => names.split(', ')));
  const programs = [...missing].filter(isProgram);
  return [
    'Skipped, because this machine lacks:',
    ...[...skipped].sort().map(([names, count]) => `${String(count).padStart(6)}  ${names}`),
    ...(programs.length > 0 ? [`To run them too: ${installCommand(programs)}`] : []),
    '',
  ];
}

/** @param notAllowed number of skipped tests that count as failed */
export function lastLine(
  results: Pick<
    AggregatedResult,
    'numPassedTests' | 'numFailedTests' | 'numRuntimeErrorTestSuites' | 'numPendingTests'
  >,
  notAllowed: number,
): string {
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites + notAllowed;
  const skipped = results.numPendingTests - notAllowed;
  return `${results.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function sumOf(skipped: ReadonlyMap<string, number>): number {
  return [...skipped.values()].reduce((sum, count) => sum + count, 0);
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
