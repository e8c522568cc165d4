import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml';

export type Path = readonly PropertyKey[];

/** Lines count from 1. */
export type Yaml = {
  value: unknown;
  /** Unresolved or excessive aliases have no line. */
  error: { code: string; line?: number } | undefined;
  /** If the field is missing, the line of its parent. */
  lineOf(path: Path): number;
};

export function readYaml(text: string): Yaml {
  const counter = new LineCounter();
  let document: Document;
  try {
    document = parseDocument(text, { lineCounter: counter, prettyErrors: false });
  } catch {
    // The parser recurses.
    return { value: undefined, error: { code: 'RESOURCE_EXHAUSTION', line: 1 }, lineOf: () => 1 };
  }
  const [error = factAsMap(document, text)] = document.errors;

  function keyOrItem(path: Path): Node | undefined {
    const parent = document.getIn(path.slice(0, -1), true);
    const name = path.at(-1);
    const found = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(name))?.key
      : isSeq(parent) && parent.items[Number(name)];
    return isNode(found) ? found : undefined;
  }

  function lineOf(path: Path): number {
    const [start] = keyOrItem(path)?.range ?? [];
    if (start !== undefined) return counter.linePos(start).line;
    return path.length > 0 ? lineOf(path.slice(0, -1)) : 1;
  }

  if (error)
    return { value: undefined, error: { code: error.code, line: counter.linePos(error.pos[0] ?? 0).line }, lineOf };
  try {
    return { value: document.toJS(), error: undefined, lineOf };
  } catch {
    return { value: undefined, error: { code: 'BAD_ALIAS' }, lineOf };
  }
}

/** Without quotes, a value that begins with a fact is a map whose key is a map. */
function factAsMap(document: Document, text: string): { code: string; pos: readonly number[] } | undefined {
  let found: { code: string; pos: readonly number[] } | undefined;
  if (!text.includes('{{')) return undefined;
  visit(document, {
    Map(_, { items: [first], range }) {
      if (!isMap(first?.key)) return undefined;
      found = { code: 'MAP_AS_KEY', pos: range ?? [] };
      return visit.BREAK;
    },
  });
  return found;
}

const frontMatter = /^(---[ \t]*\n[\s\S]*?)^---[ \t]*(?:\n|$)/m;

/**
 * YAML keeps the line numbers of the file.
 *
 * @returns `undefined` for Markdown without front matter
 */
export function splitFile(file: string, text: string): { yaml: string; body: string; bodyLine: number } | undefined {
  if (file.endsWith('.yaml')) return { yaml: text, body: '', bodyLine: 1 };
  const match = frontMatter.exec(text);
  if (match?.index !== 0) return undefined;
  const [whole, yaml = ''] = match;
  return { yaml, body: text.slice(whole.length), bodyLine: whole.split('\n').length };
}
