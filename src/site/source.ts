import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isScalar, isSeq, LineCounter, type ParsedNode, parseDocument } from 'yaml';
import type { z } from 'zod';

/** One thing that is wrong with the content, for an editor to mend. */
export type Problem = { file: string; line: number; field: string; expected: string; found: string };

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

type Path = readonly PropertyKey[];

/** A parsed content file, which still knows where everything stands. */
export type Source<T> = {
  /** Relative to the content folder, with forward slashes. */
  file: string;
  /** File name without its ending: the slug of what it describes. */
  slug: string;
  value: T;
  /** Markdown under the front matter; empty for a YAML file. */
  body: string;
  /** Line of the file on which the body starts, from 1. */
  bodyLine: number;
  /** Line of the file on which the field at `path` stands, from 1. */
  lineOf(path: Path): number;
  /** Reports a problem with the field at `path`. */
  report(path: Path, expected: string, found: string): void;
};

/** Reads the files of one content folder and collects every problem, so that editors see them all at once. */
export type Reader = {
  /** One file of the folder; `undefined` if it is missing or wrong, which is reported. */
  file<S extends z.ZodType>(name: string, schema: S): Source<z.output<S>> | undefined;
  /** Slugs of the Markdown files of a subfolder, right or wrong; a missing subfolder is reported. */
  slugs(name: string): string[];
  /** Those of the files that are right; the wrong ones are reported. */
  files<S extends z.ZodType>(folder: string, slugs: readonly string[], schema: S): Source<z.output<S>>[];
  problems: Problem[];
};

const frontMatter = /^---\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m;

/** @param dir the content folder */
export function contentReader(dir: string): Reader {
  const problems: Problem[] = [];

  function file<S extends z.ZodType>(name: string, schema: S): Source<z.output<S>> | undefined {
    let text: string;
    try {
      text = readFileSync(join(dir, name), 'utf8');
    } catch (error) {
      problems.push({ file: name, line: 1, field: '', expected: 'a readable file', found: (error as Error).message });
      return undefined;
    }
    const markdown = name.endsWith('.md');
    const match = markdown ? frontMatter.exec(text) : null;
    if (markdown && match?.index !== 0) {
      const found = JSON.stringify(text.slice(0, 20));
      problems.push({ file: name, line: 1, field: '', expected: 'front matter between two lines of ---', found });
      return undefined;
    }
    // Front matter starts on line 2, under its first `---`.
    const firstLine = markdown ? 1 : 0;
    const counter = new LineCounter();
    const document = parseDocument(match?.[1] ?? text, { lineCounter: counter });
    const lineAt = (offset: number) => firstLine + counter.linePos(offset).line;
    for (const error of document.errors) {
      // The library counts lines within the front matter.
      const found = error.message.replace(/ at line \d+, column \d+:[\s\S]*/, '');
      problems.push({ file: name, line: lineAt(error.pos[0]), field: '', expected: 'valid YAML', found });
    }
    if (document.errors.length > 0) return undefined;

    const lineOf = (path: Path) => {
      const offset = offsetOf(document.contents, path);
      return offset === undefined ? firstLine + 1 : lineAt(offset);
    };
    const report = (path: Path, expected: string, found: string) => {
      problems.push({ file: name, line: lineOf(path), field: path.map(String).join('.'), expected, found });
    };
    const input: unknown = document.toJS();
    const parsed = schema.safeParse(input);
    if (!parsed.success) {
      for (const issue of parsed.error.issues) describe(issue, input, report);
      return undefined;
    }
    const head = match?.[0] ?? '';
    return {
      file: name,
      slug: name.slice(name.lastIndexOf('/') + 1).replace(/\.\w+$/, ''),
      value: parsed.data,
      body: markdown ? text.slice(head.length) : '',
      bodyLine: head.split('\n').length,
      lineOf,
      report,
    };
  }

  function slugs(name: string): string[] {
    try {
      const entries = readdirSync(join(dir, name)).filter((entry) => entry.endsWith('.md'));
      return entries.map((entry) => entry.slice(0, -'.md'.length)).sort();
    } catch (error) {
      problems.push({ file: name, line: 1, field: '', expected: 'a folder', found: (error as Error).message });
      return [];
    }
  }

  return {
    file,
    slugs,
    files: (folder, names, schema) => names.flatMap((slug) => file(`${folder}/${slug}.md`, schema) ?? []),
    problems,
  };
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
