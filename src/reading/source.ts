import type * as z from 'zod';
import { lazy } from '../lib/lazy.ts';
import type { Memo } from '../store/memo.ts';
import type { ContentFiles } from './content-files.ts';
import { companyFile, type Facts, factsIn, factsOf, type Sealed, sealed, unsealedValue, valuesOf } from './facts.ts';
import { fileText, type Unreadable } from './file-text.ts';
import { fillerProblems } from './fillers.ts';
import { frontMatterOf, type Path, readYaml, type Yaml } from './front-matter.ts';
import { fieldOf, issueProblems } from './issue-words.ts';
import { type Linted, lintFile } from './lint.ts';
import { parseMarkdown, type Rendered, renderMarkdown } from './markdown.ts';
import { markedIn, replaced } from './marks.ts';
import type { Problem } from './problem.ts';
import { withoutFrontMatter, yamlProblems } from './yaml-words.ts';

/** What a report may say besides its sentence. */
type More = Pick<Problem, 'warning'> & {
  /** What should stand in the place of the value. */
  value?: string | undefined;
};

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
  /** Reports a problem with the field at `path`. @param message what is wrong and what to do, in Russian */
  report(path: Path, message: string, more?: More): void;
};

/** Reads the files of one content and collects every problem, so that editors see them all at once. */
export type Reader = {
  /** One file; `undefined` if it is missing or wrong, which is reported. */
  file<S extends z.ZodType>(name: string, schema: S): Source<z.output<S>> | undefined;
  /** Slugs of the Markdown files of a folder, right or wrong; a missing folder is reported. */
  slugs(folder: string): string[];
  /** Those of the files that are right; the wrong ones are reported. */
  files<S extends z.ZodType>(folder: string, slugs: readonly string[], schema: S): Source<z.output<S>>[];
  problems: Problem[];
  /** What is wrong with the texts of the files that were read, although they can be shown. */
  linted: ReadonlyMap<string, Linted>;
  /** Markdown under the front matter of every file that was read, even if that is wrong. */
  texts: ReadonlyMap<string, { text: Rendered; bodyLine: number }>;
  /** Every file that was asked for, and whether it is there. */
  asked: ReadonlySet<string>;
};

/** What comes of a file by itself; plain JSON, so that a file that has not changed is not read again. */
type Parsed = {
  problems: readonly Problem[];
  /** It can be shown, and has a value. */
  right: boolean;
  value?: unknown;
  bodyLine: number;
  linted?: Linted;
  text?: Rendered;
};

export function contentReader(files: ContentFiles, memo: Memo): Reader {
  const problems: Problem[] = [];
  const linted = new Map<string, Linted>();
  const texts = new Map<string, { text: Rendered; bodyLine: number }>();
  const asked = new Set<string>();
  const company = lazy((): { facts: Facts } => {
    const known = files.get(companyFile);
    const found = memo.once(['facts', known?.hash ?? null], () => {
      const read = fileText(known?.bytes() ?? Buffer.of());
      const all = 'text' in read ? factsOf(read.text) : undefined;
      return all ? [...all] : null;
    });
    return { facts: found ? new Map(found) : undefined };
  });
  const facts = () => company().facts;

  function file<S extends z.ZodType>(name: string, schema: S): Source<z.output<S>> | undefined {
    asked.add(name);
    const known = files.get(name);
    if (known === undefined) {
      problems.push({ file: name, line: 1, field: '', message: 'Такого файла нет, а сайту он нужен.' });
      return undefined;
    }
    if (known.unread !== undefined) {
      problems.push({ file: name, line: 1, field: '', message: known.unread });
      return undefined;
    }
    const written = lazy(() => fileText(known.bytes()));
    const given = lazy(() => {
      const read = written();
      return 'text' in read ? sealed(name, read.text, facts()) : read;
    });
    const holds = (parsed: Parsed) => parsed.text === undefined || memo.has(parsed.text.prose);
    const parse = () => parseFile(name, given(), schema, memo);
    // The name says which schema, and the code what that is.
    const first = memo.once<Parsed | { facts: string[] }>(
      ['file', name, known.hash],
      () => {
        const read = written();
        const named = name === companyFile || !('text' in read) ? [] : factsIn(read.text);
        return named.length > 0 ? { facts: named } : parse();
      },
      (result) => 'facts' in result || holds(result),
    );
    // Of what the company says, a file is made of that which it names.
    const parsed =
      'facts' in first ? memo.once(['file', name, known.hash, valuesOf(first.facts, facts())], parse, holds) : first;
    const { text, bodyLine } = parsed;
    if (parsed.linted) linted.set(name, parsed.linted);
    if (text) texts.set(name, { text, bodyLine });
    problems.push(...parsed.problems);
    if (!parsed.right || text === undefined) return undefined;
    return source(name, () => given() as Sealed, schema, { ...parsed, text }) as Source<z.output<S>>;
  }

  function source(
    name: string,
    given: () => Sealed,
    schema: z.ZodType,
    { value, text, bodyLine }: Parsed & { text: Rendered },
  ): Source<unknown> {
    const yaml = lazy(() => readYaml(name, given().text));
    const lineOf = (path: Path) => yaml().lineOf(path);
    return {
      ...{ file: name, value, schema, text, bodyLine, lineOf },
      slug: name.slice(name.lastIndexOf('/') + 1).replace(/\.\w+$/, ''),
      report(path, message, { value: meant, ...more } = {}) {
        const instead = meant === undefined ? undefined : yaml().withValue(path, meant);
        const problem = { file: name, line: lineOf(path), field: fieldOf(path), message, ...more, instead };
        problems.push(asWritten(problem, given()));
      },
    };
  }

  function slugs(folder: string): string[] {
    const inside = [...files.keys()].filter((name) => name.startsWith(`${folder}/`));
    if (inside.length === 0) {
      const message = 'Этой папки нет, или она пуста. В ней должны лежать файлы .md.';
      problems.push({ file: folder, line: 1, field: '', message });
    }
    const names = inside.map((name) => name.slice(folder.length + 1));
    return names.flatMap((name) => (/^[^/]+\.md$/.test(name) ? [name.slice(0, -'.md'.length)] : [])).sort();
  }

  return {
    file,
    slugs,
    files: (folder, names, schema) => names.flatMap((slug) => file(`${folder}/${slug}.md`, schema) ?? []),
    ...{ problems, linted, texts, asked },
  };
}

/** @returns nothing for what refers to itself so often that its value would fill the memory */
function plainValue({ document }: Yaml): unknown {
  try {
    return document.toJS();
  } catch {
    return undefined;
  }
}

/** @param given what the editor wrote, with words for its facts */
function parseFile(file: string, given: Sealed | Unreadable, schema: z.ZodType, memo: Memo): Parsed {
  if ('message' in given) return { problems: [{ file, field: '', ...given }], right: false, bodyLine: 1 };
  const { text, written, problems: ofFacts } = given;
  const markdown = file.endsWith('.md');
  const head = markdown ? frontMatterOf(text) : undefined;
  if (markdown && head === undefined)
    return { problems: [...ofFacts, withoutFrontMatter(file, written)], right: false, bodyLine: 1 };
  const bodyLine = (head?.whole ?? '').split('\n').length;
  const body = markdown ? text.slice(head?.whole.length) : '';
  const yaml = readYaml(file, text);
  const tokens = parseMarkdown(body);
  const unreadable = yamlProblems(file, yaml);
  const sealedInput = unreadable.length > 0 ? undefined : plainValue(yaml);
  const input = unsealedValue(sealedInput);
  const found = lintFile({ file, text: written, value: input, tokens, bodyLine, yaml });
  const linted = { ...found, problems: found.problems.map((problem) => asWritten(problem, given)) };
  const result = schema.safeParse(input);
  const wrong =
    unreadable.length > 0 || result.success
      ? unreadable
      : issueProblems(file, yaml, schema, input, result.error.issues);
  if (result.success) {
    for (const { path, ...left } of fillerProblems(schema, input, yaml.lineOf, { text: body, line: bodyLine }))
      linted.problems.push({ ...left, field: fieldOf(path) });
  }
  const problems = [...ofFacts, ...wrong.map((problem) => asWritten(problem, given))];
  const parsed = { problems, bodyLine, linted, text: renderMarkdown(body, tokens, memo) };
  return result.success && problems.length === 0
    ? { ...parsed, right: true, value: withMarkdown(schema, result.data, sealedInput) }
    : { ...parsed, right: false };
}

/** A problem that repeats what stands in the file, as the editor wrote it. */
function asWritten<P extends Pick<Problem, 'message' | 'instead'>>(problem: P, { unseal }: Sealed): P {
  const { message, instead } = problem;
  return { ...problem, message: unseal(message), instead: instead && unseal(instead) };
}

/** A value whose Markdown still has words for its facts, so that these do not become markup. */
function withMarkdown(schema: z.ZodType, value: unknown, sealedValue: unknown): unknown {
  return markedIn(schema, value).reduce((whole, { path, mark }) => {
    if (!('markdown' in mark)) return whole;
    const written = path.reduce((part, key) => (part as Record<PropertyKey, unknown>)[key], sealedValue);
    return replaced(whole, path, written);
  }, value);
}
