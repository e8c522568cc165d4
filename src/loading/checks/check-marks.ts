import { decoded } from '../../lib/decoded.ts';
import { type Inline, inlinesIn, wordsIn } from '../../model/prose.ts';
import { companyFile } from '../content-files.ts';
import { inCompanyFile, placeholder } from '../facts.ts';
import { readMarkdown } from '../markdown.ts';
import { guillemets, type Problem } from '../problem.ts';
import { leavesIn, partAt, valueAt } from '../schema-parts.ts';
import { problemAt, type Source, textsOf } from '../source.ts';
import type { Path } from '../yaml.ts';
import { correctMarks, factMarks, findMarks, remedyFor, type TextKind } from './leftover-marks.ts';
import type { CheckInput } from './rule.ts';

/** A text that visitors see, or an address. */
type VisibleText = { text: string; kind: TextKind; line: number; field: Path };

/** Reports the first mark of each line, with the corrected line where the correction is certain. */
export function* checkMarks({ sources }: Pick<CheckInput, 'sources'>): Iterable<Problem> {
  for (const source of Object.values(sources).flat()) {
    const lines = source.text.split('\n');
    const problems = [...textsIn(source), ...fieldsIn(source)].flatMap((text) => problemsIn(source, lines, text));
    for (const [first] of Map.groupBy(problems, ({ line }) => line).values()) if (first) yield first;
  }
}

function problemsIn(source: Source<unknown>, lines: readonly string[], visible: VisibleText): Problem[] {
  const { text, kind, field } = visible;
  return findMarks(text, kind).map(({ found, row, group }) => {
    const line = lineWith(found, lines, visible.line + row);
    const atHome = group === factMarks && source.file === companyFile;
    const remedy = atHome ? inCompanyFile : remedyFor(group, kind);
    const instead = atHome ? undefined : corrected(lines[line - 1] ?? '', visible);
    const message = `Посетители увидят ${guillemets(found)}. ${remedy}`;
    return { ...problemAt(source, field.length > 0 ? field : line, message, { instead }), line };
  });
}

/** In YAML, the place of a text within its value is not known. */
function lineWith(found: string, lines: readonly string[], from: number): number {
  const [start = found] = found.split('\n');
  const ahead = lines.slice(from - 1, from + 50).findIndex((line) => line.includes(start));
  return from + Math.max(0, ahead);
}

function textsIn(source: Source<unknown>): VisibleText[] {
  return textsOf(source).flatMap(({ text: { blocks }, lineAt, field }) => {
    const all = wordsIn(blocks);
    const notes = footnotes(all.map(({ content }) => shown(content)).join('\n\n'));
    const texts = all.map(({ content, line, ...block }): VisibleText => {
      const words = notes ? shown(content).replace(notes, placeholderChar) : shown(content);
      return { text: words, kind: 'level' in block ? 'heading' : 'paragraph', line: lineAt(line), field };
    });
    const addresses = inlinesIn(blocks, 'link').map(({ href, line }): VisibleText => {
      return { text: decoded(href) ?? href, kind: 'address', line: lineAt(line), field };
    });
    return [...texts, ...addresses];
  });
}

/** Replaces what is no Markdown or may not be read as such, so that the texts around it stay apart. */
const placeholderChar = '\uFFFC';

/** What visitors read, lines apart. */
function shown(content: readonly Inline[]): string {
  const apart = (...words: string[]) => ` ${[placeholderChar, ...words, placeholderChar].join(' ')} `;
  return content
    .map((one): string => {
      switch (one.type) {
        case 'text':
          return one.literal ? placeholderChar : one.text;
        case 'code':
          return placeholderChar;
        case 'break':
          return '\n';
        case 'picture':
          return apart(one.alt, one.title);
        case 'link':
          return one.title === '' ? shown(one.content) : shown(one.content) + apart(one.title);
        default:
          return shown(one.content);
      }
    })
    .join('');
}

function fieldsIn(source: Source<unknown>): VisibleText[] {
  return leavesIn(source.value).flatMap(({ path, value }): VisibleText[] => {
    const { pattern, format, enum: values, 'x-mark': mark } = partAt(source.schema, path) ?? {};
    if (typeof value !== 'string' || (mark && 'markdown' in mark)) return [];
    const plain = !(pattern || format || values || (mark && !('long' in mark)));
    const kind = plain ? 'plain' : 'address';
    if (findMarks(value, kind).length === 0) return [];
    // Facts may contain such marks. Reading the written text is slow, so it happens only for matches.
    const written = String(valueAt(source.written(), path)).replace(placeholder, placeholderChar);
    return [{ text: written, kind, line: source.lineOf(path), field: path }];
  });
}

/** Marks that stand after a word and again before the note, where they could be taken for emphasis. */
function footnotes(text: string): RegExp | undefined {
  const mark = text.search(/[^\s*]\*\*(?=[\s.,;:!?)])/);
  if (mark !== -1 && /^\*\*(?!\*)/m.test(text.slice(mark))) return /\*+/g;
  return /[^\s*]\*(?=[\s.,;:!?)]|$)/m.test(text) ? /(?<!\*)\*(?!\*|(?<=\p{L}\*)\p{L})/gu : undefined;
}

/** The name of a field of YAML and the quotation mark before its value. */
const fieldStart = /^\s*(?:- +)*(?:[\w-]+: +)?["']?/;

/** Editors would not read a longer line. Corrections take quadratic time. */
const maxCorrected = 500;

/** @returns `undefined` if marks would be left */
function corrected(line: string, { kind, field }: VisibleText): string | undefined {
  const [start = ''] = field.length > 0 ? (fieldStart.exec(line) ?? []) : [];
  const text = line.slice(start.length);
  if (text.length > maxCorrected) return undefined;
  const isMarkdown = kind === 'paragraph' || kind === 'heading';
  const fixed = correctMarks(text, kind);
  if (fixed === text || fixed.trim() === '') return undefined;
  const words = fixed.replace(placeholder, placeholderChar);
  const texts = isMarkdown ? wordsIn(readMarkdown(words).blocks).map(({ content }) => shown(content)) : [words];
  return texts.some((one) => findMarks(one, kind).length > 0) ? undefined : start + fixed;
}
