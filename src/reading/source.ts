import type * as z from 'zod';
import { type Cache, createCache } from '../lib/cache.ts';
import { lazy } from '../lib/lazy.ts';
import type { ContentFiles } from './content-files.ts';
import { companyFile, type Facts, factsIn, factsOf, type Sealed, sealed, unsealedValue } from './facts.ts';
import { fileText, type Unreadable } from './file-text.ts';
import { frontMatterOf, type Path, readYaml, type Yaml } from './front-matter.ts';
import { fieldOf, issueProblems } from './issue-words.ts';
import { type Linted, lintFile } from './lint.ts';
import { parseMarkdown, type Rendered, renderMarkdown } from './markdown.ts';
import type { Problem } from './problem.ts';
import { markedIn, replaced } from './schema-walk.ts';
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
  /** The text under the front matter; empty for a YAML file. Rendered when it is first asked for, and kept. */
  text(): Rendered;
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
  problems: Problem[];
  /** Looks for what is wrong with the texts of the files that were read, although they can be shown; by file. */
  lint(): ReadonlyMap<string, Linted>;
  /** Markdown under the front matter of every file that was read, even if that is wrong. */
  texts: ReadonlyMap<string, { text(): Rendered; bodyLine: number }>;
  /** Every file that was asked for, and whether it is there. */
  asked: ReadonlySet<string>;
};

/** What comes of a file by itself. */
type Parsed = {
  problems: readonly Problem[];
  /** It can be shown, and has a value. */
  right: boolean;
  value?: unknown;
  bodyLine: number;
  linted?: () => Linted;
  text?: () => Rendered;
};

/** @param cache outlives the reader, so that a file that has not changed is not read again */
export function contentReader(files: ContentFiles, cache: Cache = createCache()): Reader {
  const problems: Problem[] = [];
  const parsedFiles = new Map<string, Parsed>();
  const texts = new Map<string, { text(): Rendered; bodyLine: number }>();
  const asked = new Set<string>();
  const company = files.get(companyFile);
  const facts = cache.get(`facts ${company?.hash}`, (): Facts => {
    const read = fileText(company?.bytes() ?? Buffer.of());
    return 'text' in read ? factsOf(read.text) : undefined;
  });

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
    const read = (): Sealed | Unreadable => {
      const written = fileText(known.bytes());
      return 'text' in written ? sealed(name, written.text, facts) : written;
    };
    // The name says which schema. Of the company's facts, a file is made of those that it names.
    const named = factsIn(String(known.bytes()));
    const ofFacts = named.length > 0 ? JSON.stringify(facts && named.map((fact) => facts.get(fact))) : '';
    const parsed = cache.get(`file ${name} ${known.hash} ${ofFacts}`, () => parseFile(name, read, schema));
    parsedFiles.set(name, parsed);
    const { text, bodyLine } = parsed;
    if (text) texts.set(name, { text, bodyLine });
    problems.push(...parsed.problems);
    if (!parsed.right || text === undefined) return undefined;
    return source(name, () => read() as Sealed, schema, { ...parsed, text }) as Source<z.output<S>>;
  }

  function source(
    name: string,
    read: () => Sealed,
    schema: z.ZodType,
    { value, text, bodyLine }: Parsed & Pick<Source<unknown>, 'text'>,
  ): Source<unknown> {
    const given = lazy(read);
    const yaml = lazy(() => readYaml(name, given().text));
    const lineOf = (path: Path) => yaml().lineOf(path);
    return {
      file: name,
      slug: name.slice(name.lastIndexOf('/') + 1).replace(/\.\w+$/, ''),
      value,
      schema,
      text,
      bodyLine,
      lineOf,
      report(path, message, { value: meant, ...more } = {}) {
        const instead = meant === undefined ? undefined : yaml().withValue(path, meant);
        const problem = { file: name, line: lineOf(path), field: fieldOf(path), message, ...more, instead };
        problems.push(asWritten(problem, given()));
      },
    };
  }

  return {
    file,
    problems,
    lint: () => new Map([...parsedFiles].flatMap(([name, { linted }]) => (linted ? [[name, linted()]] : []))),
    texts,
    asked,
  };
}

/** `undefined` if it cannot be read; also for aliases of aliases, whose value would fill the memory. */
function plainValue({ document }: Yaml): { value: unknown } | undefined {
  if (document.errors.length > 0) return undefined;
  try {
    return { value: document.toJS() };
  } catch {
    return undefined;
  }
}

/** @param read gives what the editor wrote, with words for its facts; asked again for what is rarely needed */
function parseFile(file: string, read: () => Sealed | Unreadable, schema: z.ZodType): Parsed {
  const given = read();
  if ('message' in given) return { problems: [{ file, field: '', ...given }], right: false, bodyLine: 1 };
  const { text, written, problems: ofFacts } = given;
  const markdown = file.endsWith('.md');
  const head = markdown ? frontMatterOf(text)?.whole : '';
  if (head === undefined)
    return { problems: [...ofFacts, withoutFrontMatter(file, written)], right: false, bodyLine: 1 };
  const bodyLine = head.split('\n').length;
  const bodyOf = (whole: string) => (markdown ? whole.slice(head.length) : '');
  const yaml = readYaml(file, text);
  const plain = plainValue(yaml);
  const unreadable = plain ? [] : yamlProblems(file, yaml);
  const sealedInput = plain?.value;
  const input = unsealedValue(sealedInput);
  const result = schema.safeParse(input);
  const wrong =
    unreadable.length > 0 || result.success
      ? unreadable
      : issueProblems(file, yaml, schema, input, result.error.issues);
  const problems = [...ofFacts, ...wrong.map((problem) => asWritten(problem, given))];

  function lint(): Linted {
    const again = read() as Sealed;
    const yaml = readYaml(file, again.text);
    const body = bodyOf(again.text);
    const found = lintFile({ file, text: again.written, value: input, tokens: parseMarkdown(body), bodyLine, yaml });
    return { ...found, problems: found.problems.map((problem) => asWritten(problem, again)) };
  }

  const parsed = {
    problems,
    bodyLine,
    linted: lazy(lint),
    text: lazy(() => renderMarkdown(bodyOf((read() as Sealed).text))),
  };
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
