import { test } from '@jest/globals';
import { type Program, pathOf } from './programs.ts';
import { contentShips } from './sample-content.ts';

type Requirements = {
  programs?: readonly Program[];
  /** Other requirements that this machine lacks, such as `root`. */
  lacking?: readonly string[];
  /** The tests cover the shipped content, so they do not apply to the content of an editor. */
  shipped?: boolean;
};

/** Counts skipped tests by what was missing. The test runner reads it. */
declare global {
  var skippedTests: Record<string, number> | undefined;
}

/** `test` where this machine meets the requirements. Otherwise it skips, and the summary of the run says why. */
export function testIf({ programs = [], lacking = [], shipped = false }: Requirements): typeof test | typeof test.skip {
  const missing = [...programs.filter((program) => pathOf(program) === undefined), ...lacking];
  if (shipped && !contentShips) return test.skip;
  return missing.length === 0 ? test : countingSkip(missing.sort().join(', '));
}

function countingSkip(missing: string): typeof test.skip {
  const count = (tests: number) => {
    globalThis.skippedTests ??= {};
    globalThis.skippedTests[missing] = (globalThis.skippedTests[missing] ?? 0) + tests;
  };
  return new Proxy(test.skip, {
    apply(skip, _, args: Parameters<typeof test.skip>) {
      count(1);
      return skip(...args);
    },
    get(skip, name: keyof typeof test.skip) {
      if (name !== 'each') return skip[name];
      return (table: readonly unknown[]) => {
        count(table.length);
        return skip.each(table);
      };
    },
  });
}
