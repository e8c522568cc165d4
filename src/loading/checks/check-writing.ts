import { headingsIn, inlineText } from '../../model/prose.ts';
import { guillemets, type Problem } from '../problem.ts';
import { leavesIn, markedIn, partAt } from '../schema-parts.ts';
import { problemAt, type Source } from '../source.ts';
import type { Path } from '../yaml.ts';
import type { CheckInput } from './rule.ts';

/* Slips that a reader of the file overlooks. Each rule skips what a correct text may contain. */

export function* checkWriting({ sources }: Pick<CheckInput, 'sources'>): Iterable<Problem> {
  for (const source of Object.values(sources).flat()) {
    yield* unseenCharacters(source);
    yield* emptySections(source);
    for (const written of writtenIn(source)) yield* doubledSpaces(source, written);
  }
}

/** Zero-width and direction marks; in emoji, U+200D joins. */
const unseen =
  /[\u200b\u200c\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]|(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d|\u200d(?!\p{Extended_Pictographic})/u;

function* unseenCharacters(source: Source<unknown>): Iterable<Problem> {
  for (const [index, line] of source.text.split('\n').entries()) {
    const found = unseen.exec(line);
    if (!found) continue;
    const code = found[0].codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    const before = line.slice(0, found.index).split(/\s/).at(-1) ?? '';
    const place = before === '' ? 'Здесь' : `После ${guillemets(before)}`;
    const message = `${place} невидимый знак U+${code}, с ним поиск слова не найдёт. Сотрите слово и наберите заново.`;
    yield problemAt(source, index + 1, message, { warning: true });
  }
}

/** A heading of the same or a higher level, or the end, follows at once. */
function* emptySections(source: Source<unknown>): Iterable<Problem> {
  const headings = headingsIn(source.body().blocks);
  const lines = source.text.split('\n').slice(source.bodyLine - 1);
  for (const [index, { level, content, line }] of headings.entries()) {
    const text = inlineText(content).trim();
    const next = headings[index + 1];
    const between = lines.slice(line, next === undefined ? undefined : next.line - 1);
    if (text === '' || (next && next.level > level) || between.some((one) => one.trim() !== '')) continue;
    const message = `Под заголовком ${guillemets(text)} ничего нет. Допишите раздел или сотрите заголовок.`;
    yield problemAt(source, source.bodyLine + line - 1, message, { warning: true });
  }
}

/** `placeOf` has the place of a row, counted from 0. */
type Written = { text: string; placeOf(row: number): Path | number };

/** The texts that visitors read: the body, and all fields except addresses. */
function writtenIn(source: Source<unknown>): Written[] {
  const text = source.file.endsWith('.md')
    ? source.text
        .split('\n')
        .slice(source.bodyLine - 1)
        .join('\n')
    : '';
  const body = { text, placeOf: (row: number) => source.bodyLine + row };
  const answers = markedIn(source.schema, source.value).flatMap(({ path, value, mark }): Written[] =>
    'markdown' in mark ? [{ text: String(value), placeOf: () => path }] : [],
  );
  const fields = leavesIn(source.value).flatMap(({ path, value }): Written[] => {
    const { pattern, format, 'x-mark': mark } = partAt(source.schema, path) ?? {};
    if (typeof value !== 'string' || pattern || format || (mark && !('long' in mark))) return [];
    return [{ text: value, placeOf: () => path }];
  });
  return [body, ...answers, ...fields];
}

/** After list markers and in tables, blanks align. */
const aligned = /^.*\|.*$|^[ \t]*(?:(?:[-*+]|\d+[.)]|#+)[ \t]+)?/gm;
const doubled = /(?<=\S) {2,}(?=\S)/g;

function* doubledSpaces(source: Source<unknown>, { text, placeOf }: Written): Iterable<Problem> {
  const blank = (found: string) => found.replace(/[^\n]/g, '\0');
  const words = text.replace(aligned, blank).replace(/`[^`\n]*`/g, blank);
  for (const [row, line] of words.split('\n').entries()) {
    for (const { index } of line.matchAll(doubled)) {
      const word = line.slice(0, index).split(' ').at(-1) ?? '';
      if (word.includes('\0')) continue;
      const message = `Два пробела подряд после ${guillemets(word)}. Оставьте один.`;
      yield problemAt(source, placeOf(row), message, { warning: true });
    }
  }
}
