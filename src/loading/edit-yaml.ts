import { isCollection, isMap, isNode, isPair, isScalar, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import { placeholder } from './facts.ts';
import type { Path } from './yaml.ts';
import { quoted } from './yaml-problems.ts';

/** Sets a field, removes it or an item if the value is `undefined`, or inserts an item. */
export type YamlEdit = { path: Path; value: unknown; insert?: true };

type Span = { start: number; end: number };
type Splice = Span & { text: string };

/**
 * Changes only the edited fields, so comments, order and spelling of all others stay.
 *
 * The result may be wrong for YAML that is written in an unusual way; the caller compares its values.
 */
export function editYaml(text: string, edits: readonly YamlEdit[]): string {
  const document = parseDocument(
    text.replace(placeholder, (found) => 'x'.repeat(found.length)),
    { prettyErrors: false },
  );
  const splices = edits.flatMap(({ path, value, insert }) => {
    const parent = document.getIn(path.slice(0, -1), true);
    const key = path.at(-1);
    if (!isMap(parent) && !isSeq(parent)) return [];
    const at = isMap(parent)
      ? parent.items.findIndex((pair) => isScalar(pair.key) && pair.key.value === key)
      : Number(key);
    if (value === undefined) return removal(text, parent, at);
    if (insert || at === -1) return insertion(text, parent, insert ? at : parent.items.length, String(key), value);
    return replacement(text, document.getIn(path, true), value);
  });
  return spliced(text, splices);
}

function replacement(text: string, node: unknown, value: unknown): Splice[] {
  if (!isNode(node)) return [];
  const { start, end } = spanOf(text, node);
  return [{ start, end, text: written(value, isInBlocks(node), columnOf(text, start)) }];
}

function insertion(text: string, parent: YAMLMap | YAMLSeq, at: number, key: string, value: unknown): Splice[] {
  const spans = parent.items.map((item) => spanOf(text, item));
  const [first] = spans;
  if (first === undefined) return [];
  const before = spans[at - 1];
  const item = isMap(parent) ? `${key}: ${flow(value)}` : undefined;
  if (parent.flow) {
    const one = item ?? flow(value);
    return before ? [{ ...empty(before.end), text: `, ${one}` }] : [{ ...empty(first.start), text: `${one}, ` }];
  }
  const indent = ' '.repeat(columnOf(text, isMap(parent) ? first.start : (parent.range?.[0] ?? 0)));
  const line = indent + (item ?? `- ${written(value, isInBlocks(parent.items[0]), columnOf(text, first.start))}`);
  return before
    ? [{ ...empty(lineEnd(text, before.end)), text: `\n${line}` }]
    : [{ ...empty(lineStart(text, first.start)), text: `${line}\n` }];
}

function removal(text: string, parent: YAMLMap | YAMLSeq, at: number): Splice[] {
  const spans = parent.items.map((item) => spanOf(text, item));
  const [before, own, after] = [spans[at - 1], spans[at], spans[at + 1]];
  if (own === undefined) return [];
  if (!parent.flow) return [{ start: lineStart(text, own.start), end: lineEnd(text, own.end) + 1, text: '' }];
  return [{ start: before?.end ?? own.start, end: before ? own.end : (after?.start ?? own.end), text: '' }];
}

function spliced(text: string, splices: readonly Splice[]): string {
  let done = 0;
  const parts = splices
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .map((splice) => {
      const part = text.slice(done, splice.start) + splice.text;
      done = splice.end;
      return part;
    });
  return parts.join('') + text.slice(done);
}

/** Without the line end, which the parser counts as part of a block. */
function spanOf(text: string, item: unknown): Span {
  if (isPair(item)) return { start: spanOf(text, item.key).start, end: spanOf(text, item.value ?? item.key).end };
  const [start = 0, end = 0] = isNode(item) ? (item.range ?? []) : [];
  return { start, end: start + text.slice(start, end).trimEnd().length };
}

const isInBlocks = (node: unknown) => isCollection(node) && !node.flow;
const empty = (place: number): Span => ({ start: place, end: place });
const lineStart = (text: string, place: number) => text.lastIndexOf('\n', place - 1) + 1;
const columnOf = (text: string, place: number) => place - lineStart(text, place);

function lineEnd(text: string, place: number): number {
  const end = text.indexOf('\n', place);
  return end === -1 ? text.length : end;
}

/** One level of blocks at most. */
function written(value: unknown, inBlocks: boolean, column: number): string {
  if (!inBlocks || typeof value !== 'object' || value === null) return flow(value);
  const lines = Array.isArray(value) ? value.map((one) => `- ${flow(one)}`) : fields(value);
  return lines.join(`\n${' '.repeat(column)}`);
}

function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value === 'object' && value !== null) return `{ ${fields(value).join(', ')} }`;
  return typeof value === 'string' && !isPlain(value) ? quoted(value) : String(value);
}

function fields(value: object): string[] {
  return Object.entries(value).flatMap(([key, one]) => (one === undefined ? [] : `${key}: ${flow(one)}`));
}

/** Whether it needs no quotation marks, in brackets either. */
function isPlain(text: string): boolean {
  const { errors, contents } = parseDocument(`[${text}]`);
  const [only, ...others] = isSeq(contents) ? contents.items : [];
  return errors.length === 0 && others.length === 0 && isScalar(only) && only.value === text;
}
