import { SaxesParser } from 'saxes';
import { costOf, maxCost } from './drawing-cost.ts';
import { drawingElement, requireHarmlessSheet } from './drawing-rules.ts';
import { type DrawingElement, serializeDrawing } from './drawing-tree.ts';
import { lineAt } from './file-text.ts';
import { Refusal, type Unfit } from './problem.ts';

/** Bytes. Programs may write a second copy for themselves. */
const maxFile = 1024 * 1024;
const maxDrawing = 64 * 1024;
const maxDepth = 200;

const tooLarge = 'Рисунок больше 64 КБ. Упростите его, а если внутри снимок, сохраните как PNG или JPEG.';
const tooComplex =
  'В рисунке слишком много повторов, эффектов или вложенных групп: он задержит страницу. Упростите его или сохраните как PNG.';
const damaged =
  'Файл испорчен, или внутри не то, что говорит его имя. Откройте рисунок там, где рисовали, и сохраните заново как SVG.';

/**
 * An SVG may run and load things, and programs write paths, names and previews into it. So it is read as XML, and written
 * again with what draws it.
 *
 * @returns why it cannot be published otherwise, in Russian
 */
export function cleanDrawing(bytes: Buffer): Buffer | Unfit {
  if (bytes.length > maxFile) return { message: tooLarge };
  const parser = new SaxesParser({ xmlns: true });
  try {
    const root = parse(parser, decode(bytes));
    const drawing = Buffer.from(serializeDrawing(root));
    if (drawing.length > maxDrawing) return { message: tooLarge };
    return costOf(root) > maxCost ? { message: tooComplex } : drawing;
  } catch (error) {
    return { message: error instanceof Refusal ? error.message : damaged, line: parser.line };
  }
}

/** Where it begins, for messages. Counts from 1. */
export function firstLine(bytes: Buffer): number {
  const text = bytes.toString();
  return lineAt(text, Math.max(0, text.search(/<svg\b/)));
}

/** @throws if the bytes are not in the encoding that they declare */
function decode(bytes: Buffer): string {
  const start = bytes.toString('latin1', 0, 200);
  const mark = { '\xff\xfe': 'utf-16le', '\xfe\xff': 'utf-16be' }[start.slice(0, 2)];
  const declared = /^<\?xml\s[^>]*\bencoding\s*=\s*["']([\w-]+)/.exec(start)?.[1];
  return new TextDecoder(mark ?? declared ?? 'utf-8', { fatal: true }).decode(bytes);
}

/** @throws if it is no drawing */
function parse(parser: SaxesParser<{ xmlns: true }>, text: string): DrawingElement {
  const open: DrawingElement[] = [];
  let root: DrawingElement | undefined;
  let depth = 0;

  // What is left out takes its descendants along.
  const isInOmitted = () => open.length < depth;

  parser.on('doctype', (doctype) => Object.assign(parser.ENTITIES, entitiesIn(doctype)));
  parser.on('opentag', (tag) => {
    const element = isInOmitted() ? undefined : drawingElement(tag);
    depth += 1;
    if (depth > maxDepth) throw new Refusal(tooComplex);
    if (element === undefined) return;
    root ??= element;
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => {
    const closed = isInOmitted() ? undefined : open.pop();
    depth -= 1;
    if (closed?.name === 'style') requireHarmlessSheet(closed.children.join(''));
  });
  const write = (written: string) => {
    const element = isInOmitted() ? undefined : open.at(-1);
    if (element && /^(text|tspan|textPath|a|style)$/.test(element.name)) element.children.push(written);
  };
  parser.on('text', write);
  parser.on('cdata', write);
  parser.write(text).close();
  if (root?.name !== 'svg') throw new Error('The root is no svg.');
  return root;
}

/** Illustrator names its namespaces so. Those that contain others could grow, and are not read. */
function entitiesIn(doctype: string): Record<string, string> {
  const declared = doctype.matchAll(/<!ENTITY\s+([\w.-]+)\s+(?:"([^"<&%]{0,100})"|'([^'<&%]{0,100})')\s*>/g);
  return Object.fromEntries([...declared].map(([, name = '', double, single]) => [name, double ?? single ?? '']));
}
