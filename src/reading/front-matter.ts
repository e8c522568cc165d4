import { isMap, isNode, isScalar, LineCounter, type Node, parseDocument } from 'yaml';

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
  function exchanged([start, end]: Range, value: string): string {
    const lineStart = yaml.lastIndexOf('\n', start - 1) + 1;
    const lineEnd = yaml.indexOf('\n', end);
    return yaml.slice(lineStart, start) + value + yaml.slice(end, lineEnd === -1 ? undefined : lineEnd);
  }

  /** Where a value stands that is on one line. */
  function rangeOf(path: Path): Range | undefined {
    const [start, end] = nodeAt(path)?.range ?? [0, 0];
    const typed = yaml.slice(start, end).trimEnd();
    return typed === '' || typed.includes('\n') ? undefined : [start, start + typed.length];
  }

  const nodeAt = (path: Path) => {
    const node = document.getIn(path, true);
    return isNode(node) ? node : undefined;
  };

  /** The key of a field. */
  function keyAt(path: Path): Node | undefined {
    const parent = nodeAt(path.slice(0, -1));
    const name = String(path.at(-1));
    const key = isMap(parent)
      ? parent.items.find((item) => isScalar(item.key) && String(item.key.value) === name)?.key
      : undefined;
    return isNode(key) ? key : undefined;
  }

  return {
    document,
    lines,
    lineAt,
    lineOf(path) {
      for (let length = path.length; length > 0; length -= 1) {
        const part = path.slice(0, length);
        const [start] = (keyAt(part) ?? nodeAt(part))?.range ?? [];
        if (start !== undefined) return lineAt(start);
      }
      return above + 1;
    },
    typed(path) {
      const range = rangeOf(path);
      return range && yaml.slice(...range);
    },
    withValue(path, value) {
      const range = rangeOf(path);
      return range && exchanged(range, value);
    },
    withKey(path, key) {
      const [start, end] = keyAt(path)?.range ?? [];
      return start === undefined || end === undefined ? undefined : exchanged([start, end], key);
    },
  };
}

type Range = readonly [start: number, end: number];

/** What a value has at `path`, if it has that. */
export function valueAt(whole: unknown, path: Path): unknown {
  let value = whole;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return value;
}
