export type Problem = {
  file: string;
  /** Counts from 1. */
  line: number;
  /** Empty for the text or the whole file. */
  field: string;
  /** Russian, for non-programmers: what is wrong and how to fix it. */
  message: string;
  /** The corrected line. */
  instead?: string | undefined;
  /** The whole file is missing. */
  missing?: true;
  /** Warnings do not block publishing. */
  warning?: boolean | undefined;
};

/** Why a file cannot be published. */
export type Unfit = Pick<Problem, 'message'> & Partial<Pick<Problem, 'line'>>;

/** Thrown inside a file that cannot be published; its message is that of the `Unfit`. */
export class Refusal extends Error {}

export class ContentError extends Error {
  override readonly name = 'ContentError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const errors = problems.filter(({ warning }) => !warning).length;
    super([`Опубликовать нельзя, ошибок: ${errors}.`, ...linesFor(problems)].join('\n'));
    this.problems = problems;
  }
}

/** More of one file would only take time. */
export const maxShown = 100;
/** Characters. */
const maxQuoted = 60;

/** Errors first, then by file and line, with locations that terminals recognise. */
export function linesFor(problems: readonly Problem[]): string[] {
  const lines = [...new Set(problems.toSorted(byWeightAndPlace).map(lineFor))];
  const hidden = lines.length - maxShown;
  return hidden > 0 ? [...lines.slice(0, maxShown), `И ещё ${hidden}. Поправьте эти и проверьте снова.`] : lines;
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

export function guillemets(value: unknown): string {
  const text = (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replace(/\s+/g, ' ').trim();
  const cut = text.length > maxQuoted ? `${text.slice(0, maxQuoted)}…` : text;
  // Avoids doubled marks: «ООО «Короб»».
  return `«${cut.replace(/^«|»$/g, '')}»`;
}
