import { lazy } from '../lib/lazy.ts';
import type { ContentFile } from './content-files.ts';
import { type Facts, factProblems, withFacts } from './facts.ts';
import { fileText, lineAt } from './file-text.ts';
import type { Kind } from './kinds.ts';
import { type MarkdownText, readMarkdown } from './markdown.ts';
import type { Problem } from './problem.ts';
import { type JsonSchema, markedIn, schemaOf, valueAt } from './schema-parts.ts';
import { fieldOf, valueProblems } from './value-problems.ts';
import { type Path, readYaml, splitFile } from './yaml.ts';
import { frontMatterProblem, yamlProblem } from './yaml-problems.ts';

export type Source<T> = {
  /** Relative to the content folder, with forward slashes. */
  file: string;
  /** File name without the extension. */
  slug: string;
  value: T;
  schema: JsonSchema;
  text: string;
  /** Read on first use; empty for YAML. */
  body(): MarkdownText;
  /** Reads a field that is Markdown. */
  textIn(path: Path): MarkdownText;
  /** Counted from 1. */
  bodyLine: number;
  /** Counted from 1. */
  lineOf(path: Path): number;
  /** As editors know it. */
  fieldOf(path: Path): string;
  /** Fields before their schema, without facts. */
  written(): unknown;
};

export type Parsed = { source?: Source<unknown>; problems: readonly Problem[] };

export function parseFile(file: string, { bytes }: ContentFile, kind: Kind, facts: Facts): Parsed {
  const read = fileText(bytes());
  if ('message' in read) return { problems: [{ file, field: '', ...read }] };
  const { text } = read;
  const conflict = conflictIn(text);
  if (conflict) return { problems: [{ file, field: '', ...conflict }] };
  const ofFacts = factProblems(file, text, facts);
  const parts = splitFile(file, text);
  if (parts === undefined) return { problems: [...ofFacts, frontMatterProblem(file, text)] };
  const yaml = readYaml(parts.yaml);
  if (yaml.error) return { problems: [...ofFacts, yamlProblem(file, text, yaml.error)] };
  const schema = schemaOf(kind);
  const result = kind.schema.safeParse(withFacts(yaml.value, facts), { reportInput: true });
  if (!result.success || ofFacts.length > 0) {
    return { problems: [...ofFacts, ...valueProblems(file, { ...yaml, fieldOf }, schema, result.error?.issues ?? [])] };
  }
  const positions = lazy(() => readYaml(parts.yaml));
  const source: Source<unknown> = {
    file,
    slug: file.slice(file.lastIndexOf('/') + 1).replace(/\.\w+$/, ''),
    value: result.data,
    schema,
    text,
    body: lazy(() => readMarkdown(parts.body, facts)),
    textIn: (path) => readMarkdown(String(valueAt(positions().value, path)), facts),
    bodyLine: parts.bodyLine,
    lineOf: (path) => positions().lineOf(path),
    fieldOf,
    written: () => positions().value,
  };
  return { source, problems: [] };
}

/** The markers that git leaves where two edits meet. They make every other message about the file misleading. */
export function conflictIn(text: string): Pick<Problem, 'line' | 'message'> | undefined {
  const start = text.search(/^<{7} /m);
  if (start === -1 || !/^>{7} /m.test(text.slice(start))) return undefined;
  const message =
    'Здесь две версии одного места, которые git не смог соединить. Оставьте одну и сотрите строки из знаков <, = и >.';
  return { line: lineAt(text, start), message };
}

/** `lineAt` maps lines of the text to lines of the file. */
export function textsOf(source: Source<unknown>): { text: MarkdownText; field: Path; lineAt(line: number): number }[] {
  const { schema, value, body, textIn, bodyLine, lineOf } = source;
  const answers = markedIn(schema, value).flatMap(({ path, mark }) => {
    return 'markdown' in mark ? [{ text: textIn(path), field: path, lineAt: () => lineOf(path) }] : [];
  });
  return [{ text: body(), field: [], lineAt: (line) => bodyLine + line - 1 }, ...answers];
}

/** @param place a field, or a line of the file */
export function problemAt(
  { file, lineOf, fieldOf }: Source<unknown>,
  place: Path | number,
  message: string,
  more: Pick<Problem, 'warning' | 'instead'> = {},
): Problem {
  const [line, field] = typeof place === 'number' ? [place, ''] : [lineOf(place), fieldOf(place)];
  return { file, line, field, message, ...more };
}
