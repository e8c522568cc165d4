/** One thing that is wrong with the content, for an editor to mend. */
export type Problem = {
  file: string;
  /** From 1. */
  line: number;
  field: string;
  expected: string;
  found: string;
  /** It is for the editor to judge; without it, nothing is published. */
  warning?: true;
};

/** The content cannot be used; the message lists every problem, a line each. */
export class ContentError extends Error {
  override readonly name = 'ContentError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const lines = problems.map(
      ({ file, line, field, expected, found }) =>
        `${file}:${line}${field === '' ? '' : `: ${field}`}: expected ${expected}, found ${found}`,
    );
    super(`The content has ${problems.length} problem(s):\n${lines.join('\n')}`);
    this.problems = problems;
  }
}
