/** One thing that is wrong with the content, for an editor to mend. */
export type Problem = {
  file: string;
  /** From 1. */
  line: number;
  /** The field of the file that is meant; empty if it is a text, or the file itself. */
  field: string;
  /** Russian, for people who do not program: what is wrong, and what to do about it. */
  message: string;
  /** What should stand there, if that can be known. */
  instead?: string | undefined;
  /** It is for the editor to judge; without it, nothing is published. */
  warning?: true;
};

/** The content cannot be used; the message lists what is wrong, a line each. */
export class ContentError extends Error {
  override readonly name = 'ContentError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const errors = problems.filter(({ warning }) => !warning).length;
    super([`Опубликовать нельзя, ошибок: ${errors}.`, ...linesFor(problems)].join('\n'));
    this.problems = problems;
  }
}

/** Problems that are listed of one file, and of all. */
const mostTold = { file: 20, all: 200 };
/** Letters that a message quotes of an editor's words. */
const mostQuoted = 60;
/** The longest line that is shown as it should be. */
const mostInstead = 240;

/**
 * What editors read, wherever it is shown: errors, then warnings, by file and line. Place stands first, so that a terminal
 * or an editor can lead there.
 */
export function linesFor(problems: readonly Problem[]): string[] {
  const rank = ({ warning }: Problem) => Number(warning ?? false);
  const sorted = problems.toSorted((a, b) => rank(a) - rank(b) || byPlace(a, b));
  const files = new Map(sorted.map((one) => [lineFor(one), one.file]));
  const counts = new Map<string, number>();
  const lines = [...files].flatMap(([line, file]) => {
    const count = (counts.get(file) ?? 0) + 1;
    counts.set(file, count);
    return count <= mostTold.file ? [line] : [];
  });
  const told = lines.slice(0, mostTold.all);
  return files.size > told.length
    ? [...told, `И ещё ${files.size - told.length}. Поправьте эти и проверьте снова.`]
    : told;
}

function lineFor({ file, line, field, message, instead, warning }: Problem): string {
  const kind = warning ? 'замечание: ' : '';
  const shown = instead === undefined || instead.length > mostInstead ? '' : `\n${instead.replace(/^/gm, '    ')}`;
  return `${file}:${line}: ${kind}${field && `${field}: `}${message}${shown}`;
}

/** By file, and in a file by line. */
export function byPlace(a: Problem, b: Problem): number {
  return a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1;
}

/** An editor's words within a message, cut if they are long. */
export function guillemets(value: unknown): string {
  const text = (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replace(/\s+/g, ' ').trim();
  const cut = text.length > mostQuoted ? `${text.slice(0, mostQuoted)}…` : text;
  // The same mark twice is written once: «ООО «Короб».
  return `«${cut.replace(/^«|»$/g, '')}»`;
}
