import { isMap, isScalar, isSeq, LineCounter, type ParsedNode, parseDocument } from 'yaml';
import * as z from 'zod';
import { lazy } from '../lib/lazy.ts';
import type { Memo } from '../store/memo.ts';
import type { ContentFiles } from './content-files.ts';
import { type Linted, lintFile } from './lint.ts';
import { parseMarkdown, type Rendered, renderMarkdown } from './markdown.ts';
import type { Problem } from './problem.ts';

type Path = readonly PropertyKey[];

/** A parsed content file, which still knows where everything stands. */
export type Source<T> = {
  /** Relative to the content folder, with forward slashes. */
  file: string;
  /** File name without its ending: the slug of what it describes. */
  slug: string;
  value: T;
  schema: z.ZodType;
  /** The text under the front matter; empty for a YAML file. */
  text: Rendered;
  /** Line of the file on which the body starts, from 1. */
  bodyLine: number;
  /** Line of the file on which the field at `path` stands, from 1. */
  lineOf(path: Path): number;
  /** Reports a problem with the field at `path`. */
  report(path: Path, expected: string, found: string): void;
};

/** Reads the files of one content and collects every problem, so that editors see them all at once. */
export type Reader = {
  /** One file; `undefined` if it is missing or wrong, which is reported. */
  file<S extends z.ZodType>(name: string, schema: S): Source<z.output<S>> | undefined;
  /** Slugs of the Markdown files of a folder, right or wrong; a missing folder is reported. */
  slugs(folder: string): string[];
  /** Those of the files that are right; the wrong ones are reported. */
  files<S extends z.ZodType>(folder: string, slugs: readonly string[], schema: S): Source<z.output<S>>[];
  /** Reads the files that were not asked for, so that what is wrong with their texts is known, too. */
  readOthers(): void;
  problems: Problem[];
  /** What is wrong with the texts of the files that were read, although they can be shown. */
  linted: ReadonlyMap<string, Linted>;
};

const frontMatter = /^---\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m;

/** What comes of a file by itself; plain JSON, so that a file that has not changed is not read again. */
type Parsed = { problems: readonly Problem[]; bodyLine: number; linted?: Linted; value?: unknown; text?: Rendered };

export function contentReader(files: ContentFiles, memo: Memo): Reader {
  const problems: Problem[] = [];
  const linted = new Map<string, Linted>();

  function file<S extends z.ZodType>(name: string, schema: S): Source<z.output<S>> | undefined {
    const known = files.get(name);
    if (known === undefined) {
      problems.push({ file: name, line: 1, field: '', expected: 'a readable file', found: 'no such file' });
      return undefined;
    }
    const text = () => known.bytes().toString();
    // The name says which schema, and the code what that is.
    const parsed = memo.once(
      ['file', name, known.hash],
      () => parseFile(name, text(), schema, memo),
      (parsed) => parsed.text === undefined || memo.has(parsed.text.prose),
    );
    if (parsed.linted) linted.set(name, parsed.linted);
    problems.push(...parsed.problems);
    if (parsed.text === undefined) return undefined;
    return source(name, text, schema, { ...parsed, text: parsed.text }) as Source<z.output<S>>;
  }

  function source(
    name: string,
    read: () => string,
    schema: z.ZodType,
    parsed: Parsed & { text: Rendered },
  ): Source<unknown> {
    const yaml = lazy(() => readYaml(name, read()));
    const lineOf = (path: Path) => {
      const { lineAt, document, firstLine } = yaml();
      const offset = offsetOf(document.contents, path);
      return offset === undefined ? firstLine + 1 : lineAt(offset);
    };
    return {
      file: name,
      slug: name.slice(name.lastIndexOf('/') + 1).replace(/\.\w+$/, ''),
      value: parsed.value,
      schema,
      text: parsed.text,
      bodyLine: parsed.bodyLine,
      lineOf,
      report(path, expected, found) {
        problems.push({ file: name, line: lineOf(path), field: path.map(String).join('.'), expected, found });
      },
    };
  }

  function slugs(folder: string): string[] {
    const inside = [...files.keys()].filter((name) => name.startsWith(`${folder}/`));
    if (inside.length === 0) {
      problems.push({ file: folder, line: 1, field: '', expected: 'a folder with Markdown files', found: 'nothing' });
    }
    const names = inside.map((name) => name.slice(folder.length + 1));
    return names.flatMap((name) => (/^[^/]+\.md$/.test(name) ? [name.slice(0, -'.md'.length)] : [])).sort();
  }

  return {
    file,
    slugs,
    files: (folder, names, schema) => names.flatMap((slug) => file(`${folder}/${slug}.md`, schema) ?? []),
    readOthers() {
      const others = [...files.keys()].filter((name) => /\.(md|yaml)$/.test(name) && !linted.has(name));
      const before = problems.length;
      for (const name of others) file(name, z.unknown());
      // They are not shown, so they keep nothing from being shown.
      problems.length = before;
    },
    problems,
    linted,
  };
}

/** The YAML of a file, which still knows where everything stands. */
function readYaml(name: string, text: string) {
  const head = name.endsWith('.md') ? frontMatter.exec(text) : null;
  // Front matter starts on line 2, under its first `---`.
  const firstLine = head ? 1 : 0;
  const counter = new LineCounter();
  const document = parseDocument(head?.[1] ?? text, { lineCounter: counter });
  return { document, firstLine, lineAt: (offset: number) => firstLine + counter.linePos(offset).line };
}

function parseFile(name: string, text: string, schema: z.ZodType, memo: Memo): Parsed {
  const markdown = name.endsWith('.md');
  const match = markdown ? frontMatter.exec(text) : null;
  if (markdown && match?.index !== 0) {
    const found = JSON.stringify(text.slice(0, 20));
    const expected = 'front matter between two lines of ---';
    return { problems: [{ file: name, line: 1, field: '', expected, found }], bodyLine: 1 };
  }
  const head = match?.[0] ?? '';
  const bodyLine = head.split('\n').length;
  const { document, firstLine, lineAt } = readYaml(name, text);
  if (document.errors.length > 0) {
    const problems = document.errors.map((error) => {
      // The library counts lines within the front matter.
      const found = error.message.replace(/ at line \d+, column \d+:[\s\S]*/, '');
      return { file: name, line: lineAt(error.pos[0]), field: '', expected: 'valid YAML', found };
    });
    return { problems, bodyLine };
  }
  const input: unknown = document.toJS();
  const lineOf = (path: Path) => {
    const offset = offsetOf(document.contents, path);
    return offset === undefined ? firstLine + 1 : lineAt(offset);
  };
  const body = markdown ? text.slice(head.length) : '';
  const tokens = parseMarkdown(body);
  const linted = lintFile({ file: name, text, value: input, tokens, bodyLine, lineOf });
  const result = schema.safeParse(input);
  if (result.success) {
    return { problems: [], bodyLine, linted, value: result.data, text: renderMarkdown(body, tokens, memo) };
  }
  const problems: Problem[] = [];
  const report = (path: Path, expected: string, found: string) => {
    problems.push({ file: name, line: lineOf(path), field: path.map(String).join('.'), expected, found });
  };
  for (const issue of result.error.issues) describe(issue, input, report);
  return { problems, bodyLine, linted };
}

/** Says what a zod issue means in an editor's words: what was expected, what was found. */
function describe(
  issue: z.core.$ZodIssue,
  input: unknown,
  report: (path: Path, expected: string, found: string) => void,
): void {
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys)
      report([...issue.path, key], 'a field of this kind of file', `unknown field "${key}"`);
    return;
  }
  let found: unknown = input;
  for (const key of issue.path) found = (found as Record<PropertyKey, unknown> | null | undefined)?.[key];
  report(issue.path, expectation(issue), found === undefined ? 'nothing' : (JSON.stringify(found) ?? String(found)));
}

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected;
    case 'invalid_value':
      return `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'invalid_format':
      return formats[issue.format] ?? issue.message;
    case 'too_small':
      return `at least ${issue.minimum} ${measure[issue.origin] ?? ''}`.trim();
    case 'too_big':
      return `at most ${issue.maximum} ${measure[issue.origin] ?? ''}`.trim();
    default:
      return issue.message;
  }
}

const formats: Record<string, string> = {
  date: 'a date such as 2026-11-20',
  time: 'a time such as 09:30',
  duration: 'a duration such as PT3M20S',
  email: 'an e-mail address',
  url: 'a whole address such as https://example.com/',
};

const measure: Record<string, string> = { string: 'characters', array: 'items' };

/** Where the node at `path` starts, or the nearest one above it that exists. */
function offsetOf(root: ParsedNode | null, path: Path): number | undefined {
  let node = root;
  let offset: number | undefined;
  for (const key of path) {
    if (isSeq<ParsedNode>(node)) {
      node = node.items[Number(key)] ?? null;
      offset = node?.range[0] ?? offset;
    } else if (isMap<ParsedNode, ParsedNode | null>(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && item.key.value === key);
      if (!pair) break;
      offset = pair.key.range[0];
      node = pair.value;
    } else break;
  }
  return offset;
}
