import { isMap, isScalar, isSeq, LineCounter, type ParsedNode, parseDocument, Scalar, visit } from 'yaml';

export type Path = readonly PropertyKey[];

/** The YAML of a file, which still knows where everything stands. */
export type Yaml = {
  document: ReturnType<typeof parseDocument>;
  /** Lines of the file, the first of which has the index 0. */
  lines: readonly string[];
  /** The line of the file, from 1, at an offset within the YAML. */
  lineAt(offset: number): number;
  /** The line of the file on which the field at `path` stands, from 1, or what it should stand in. */
  lineOf(path: Path): number;
  /** The value at `path` as it was typed, if it stands on one line. */
  typed(path: Path): string | undefined;
  /** The line of the value at `path` with another value in its place, if the value stands on one line. */
  withValue(path: Path, value: string): string | undefined;
  /** The line of the key at `path` with another key in its place. */
  withKey(path: Path, key: string): string | undefined;
  /** Where values stand that only refer to others, which there are not: an editor has begun a word with `*`. */
  lost(): number[];
  /** Texts without quotes that `#` ends, with what follows it: its author may not have meant a comment. */
  cut(): { path: Path; line: number; typed: string; whole: string }[];
};

const frontMatter = /^---[ \t]*\n([\s\S]*?)^---[ \t]*(?:\n|$)/m;

/** The front matter of a Markdown file with the lines around it, or nothing if it does not begin with one. */
export function frontMatterOf(text: string): { yaml: string; whole: string } | undefined {
  const match = frontMatter.exec(text);
  return match?.index === 0 ? { yaml: match[1] ?? '', whole: match[0] } : undefined;
}

export function readYaml(file: string, text: string): Yaml {
  const head = file.endsWith('.md') ? frontMatterOf(text) : undefined;
  // Front matter starts on line 2, under its first `---`.
  const above = head ? 1 : 0;
  const yaml = head?.yaml ?? text;
  const counter = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: counter, prettyErrors: false });
  const lines = text.split('\n');
  const lineAt = (offset: number) => above + counter.linePos(offset).line;

  /** What stands at an offset, exchanged within its line. */
  function exchanged(range: Range | undefined, value: string): string | undefined {
    if (range === undefined) return undefined;
    const start = yaml.lastIndexOf('\n', range[0] - 1) + 1;
    const end = yaml.indexOf('\n', range[1]);
    return yaml.slice(start, range[0]) + value + yaml.slice(range[1], end === -1 ? undefined : end);
  }

  /** Where a value stands that is on one line. */
  function rangeOf(path: Path): Range | undefined {
    const [start, end] = placeOf(document.contents, path).value ?? [0, 0];
    const typed = yaml.slice(start, end).trimEnd();
    return typed === '' || typed.includes('\n') ? undefined : [start, start + typed.length];
  }
  return {
    document,
    lines,
    lineAt,
    lineOf(path) {
      const { nearest } = placeOf(document.contents, path);
      return nearest === undefined ? above + 1 : lineAt(nearest);
    },
    typed(path) {
      const range = rangeOf(path);
      return range && yaml.slice(range[0], range[1]);
    },
    withValue: (path, value) => exchanged(rangeOf(path), value),
    withKey: (path, key) => exchanged(placeOf(document.contents, path).key, key),
    lost() {
      const found: number[] = [];
      visit(document, {
        Alias(_, node) {
          if (node.range && node.resolve(document) === undefined) found.push(node.range[0]);
        },
      });
      return found;
    },
    cut() {
      const found: ReturnType<Yaml['cut']> = [];
      visit(document, {
        Scalar(key, node, ancestors) {
          const [, end] = node.range ?? [];
          if (key === 'key' || node.type !== Scalar.PLAIN || typeof node.value !== 'string' || !end) return;
          const rest = /^[ \t]+#[^\s#].*/.exec(yaml.slice(end, end + 400).split('\n', 1)[0] ?? '')?.[0];
          if (rest === undefined) return;
          const typed = yaml.slice(node.range?.[0], end);
          found.push({ path: keysOf(ancestors, node), line: lineAt(end), typed, whole: typed + rest.trimEnd() });
        },
      });
      return found;
    },
  };
}

type Range = readonly [start: number, end: number];

/** Where the value at `path` and its key stand, and where the last part of the path does that exists. */
function placeOf(root: ParsedNode | null, path: Path): { key?: Range; value?: Range; nearest?: number } {
  let node = root;
  let nearest: number | undefined;
  let key: Range | undefined;
  for (const part of path) {
    key = undefined;
    if (isSeq<ParsedNode>(node)) {
      node = node.items[Number(part)] ?? null;
      nearest = node?.range[0] ?? nearest;
    } else if (isMap<ParsedNode, ParsedNode | null>(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(part));
      if (!pair) return { ...(nearest !== undefined && { nearest }) };
      nearest = pair.key.range[0];
      key = [pair.key.range[0], pair.key.range[1]];
      node = pair.value;
    } else return { ...(nearest !== undefined && { nearest }) };
  }
  return {
    ...(key && { key }),
    ...(node && { value: [node.range[0], node.range[1]] as const }),
    ...(nearest !== undefined && { nearest }),
  };
}

/** The names of the fields around a value. */
function keysOf(ancestors: readonly unknown[], node: unknown): string[] {
  return ancestors.flatMap((one) => {
    const { key, value } = one as { key?: unknown; value?: unknown };
    const inside = value === node || ancestors.includes(value);
    return isScalar(key) && inside ? [String(key.value)] : [];
  });
}

/** What a value has at `path`, if it has that. */
export function valueAt(whole: unknown, path: Path): unknown {
  let value = whole;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return value;
}
