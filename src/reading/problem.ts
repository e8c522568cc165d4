/** Something wrong with the content, for an editor to mend. */
export type Problem = {
  file: string;
  /** From 1. */
  line: number;
  /** Empty if a text or the whole file is meant. */
  field: string;
  /** Russian, for people who do not program: what is wrong, and what to do about it. */
  message: string;
  /** The line as it should be. */
  instead?: string | undefined;
  /** Left to the editor's judgement; without it, nothing is published. */
  warning?: boolean | undefined;
};

/** The content cannot be used. */
export class ContentError extends Error {
  override readonly name = 'ContentError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const errors = problems.filter(({ warning }) => !warning).length;
    super([`Опубликовать нельзя, ошибок: ${errors}.`, ...linesFor(problems)].join('\n'));
    this.problems = problems;
  }
}

const mostShown = 100;
/** Characters. */
const mostQuoted = 60;

/** What editors read: errors first, then by file and line, with the place where a terminal finds it. */
export function linesFor(problems: readonly Problem[]): string[] {
  const lines = [...new Set(problems.toSorted(byWeightAndPlace).map(lineFor))];
  const hidden = lines.length - mostShown;
  return hidden > 0 ? [...lines.slice(0, mostShown), `И ещё ${hidden}. Поправьте эти и проверьте снова.`] : lines;
}

function byWeightAndPlace(a: Problem, b: Problem): number {
  const weight = Number(a.warning ?? false) - Number(b.warning ?? false);
  if (weight !== 0) return weight;
  return a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1;
}

function lineFor({ file, line, field, message, instead, warning }: Problem): string {
  const kind = warning ? 'замечание: ' : '';
  return `${file}:${line}: ${kind}${field && `${field}: `}${message}${instead === undefined ? '' : `\n    ${instead}`}`;
}

/** An editor's words in a message, shortened. */
export function guillemets(value: unknown): string {
  const text = (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replace(/\s+/g, ' ').trim();
  const cut = text.length > mostQuoted ? `${text.slice(0, mostQuoted)}…` : text;
  // «ООО «Короб», because the outer and inner marks coincide.
  return `«${cut.replace(/^«|»$/g, '')}»`;
}
