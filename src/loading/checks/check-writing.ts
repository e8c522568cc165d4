import { lineAt } from '../file-text.ts';
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
    for (const written of writtenIn(source)) {
      yield* doubledSpaces(source, written);
      if (written.markdown) yield* codeWords(source, written);
    }
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
  const { outline } = source.body();
  const lines = source.text.split('\n').slice(source.bodyLine - 1);
  for (const [index, { level, text, line }] of outline.entries()) {
    const next = outline[index + 1];
    const between = lines.slice(line, next === undefined ? undefined : next.line - 1);
    if (text === '' || (next && next.level > level) || between.some((one) => one.trim() !== '')) continue;
    const message = `Под заголовком ${guillemets(text)} ничего нет. Допишите раздел или сотрите заголовок.`;
    yield problemAt(source, source.bodyLine + line - 1, message, { warning: true });
  }
}

type Written = { text: string; markdown: boolean; placeOf(index: number): Path | number };

/** The texts that visitors read: the body, and all fields except addresses. */
function writtenIn(source: Source<unknown>): Written[] {
  const text = source.file.endsWith('.md')
    ? source.text
        .split('\n')
        .slice(source.bodyLine - 1)
        .join('\n')
    : '';
  const body = { text, markdown: true, placeOf: (index: number) => source.bodyLine + lineAt(text, index) - 1 };
  const answers = markedIn(source.schema, source.value).flatMap(({ path, value, mark }): Written[] =>
    'markdown' in mark ? [{ text: String(value), markdown: true, placeOf: () => path }] : [],
  );
  const fields = leavesIn(source.value).flatMap(({ path, value }): Written[] => {
    const { pattern, format, 'x-mark': mark } = partAt(source.schema, path) ?? {};
    if (typeof value !== 'string' || pattern || format || (mark && !('long' in mark))) return [];
    return [{ text: value, markdown: false, placeOf: () => path }];
  });
  return [body, ...answers, ...fields];
}

/** After list markers and in tables, blanks align. */
const aligned = /^.*\|.*$|^[ \t]*(?:(?:[-*+]|\d+[.)]|#+)[ \t]+)?/gm;
const doubled = /(\S+) {2,}(?=\S)/g;

function* doubledSpaces(source: Source<unknown>, { text, placeOf }: Written): Iterable<Problem> {
  const blank = (found: string) => found.replace(/[^\n]/g, '\0');
  const words = text.replace(aligned, blank).replace(/`[^`\n]*`/g, blank);
  for (const { 1: word = '', index } of words.matchAll(doubled)) {
    const after = word.includes('\0') ? '' : ` после ${guillemets(word)}`;
    if (after === '') continue;
    yield problemAt(source, placeOf(index), `Два пробела подряд${after}. Оставьте один.`, { warning: true });
  }
}

/** Russian words between backquotes; names from programs and marks of Markdown are code. */
const code = /(?<![\\`])`([^`\n]+)`(?!`)/g;

function* codeWords(source: Source<unknown>, { text, placeOf }: Written): Iterable<Problem> {
  for (const { 1: words = '', index } of text.matchAll(code)) {
    if (/[*_<>{}[\]#|~\\&]/.test(words) || !/\p{Script=Cyrillic}/u.test(words)) continue;
    const message = `Обратные кавычки делают из ${guillemets(words)} код, а его на сайте нет. Возьмите слова в обычные кавычки или сотрите эти.`;
    yield problemAt(source, placeOf(index), message, { warning: true });
  }
}
