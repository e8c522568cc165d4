import * as z from 'zod';
import { typeset } from '../model/typography.ts';
import type { Token } from './markdown.ts';
import type { Problem } from './problem.ts';

/*
 * What is wrong with texts although they can be shown. Each rule reports what is certainly wrong and
 * nothing that may be meant; where a rule and a good text disagree, the rule goes.
 */

/** What a rule finds in one text; `line` counts from 1 within it. */
type TextProblem = Omit<Problem, 'file'>;

type Tokens = readonly Token[];

/** For how many days a text counts as true. */
export const freshDays = 180;

/** What the rules find in one file, whenever they look. */
export type Linted = { problems: TextProblem[]; named: NamedPage[]; dated: Dated[] };

/** A file as it was written, before its schema is known. */
export type LintedFile = {
  file: string;
  text: string;
  /** What its YAML says. */
  value: unknown;
  /** The Markdown under the front matter, and the line on which it starts. */
  tokens: Tokens;
  bodyLine: number;
  lineOf(path: readonly PropertyKey[]): number;
};

/** Applies every rule that needs no other file and no date. */
export function lintFile(file: LintedFile): Linted {
  const { tokens } = file;
  const inBody = [...headings(tokens), ...wideTables(tokens), ...linkTexts(tokens)];
  return {
    problems: [
      ...inBody.map((found) => ({ ...found, line: found.line + file.bodyLine - 1 })),
      ...mixedAlphabets(file.text),
      ...doubledWords(file.text),
    ],
    named: namedPages(file),
    dated: datedEntries(file),
  };
}

/**
 * Everything that is wrong with the texts of a content.
 *
 * @param at what depends on the day is judged on the day of this instant
 * @returns problems by file and line
 */
export function lintContent(linted: ReadonlyMap<string, Linted>, at: Date): Problem[] {
  const limit = new Date(at.getTime() - freshDays * 86_400_000).toISOString().slice(0, 'yyyy-mm-dd'.length);
  const found = [...linted].flatMap(([file, { problems, dated }]) =>
    [...problems, ...dated.flatMap((one) => stale(one, limit))].map((problem): Problem => ({ file, ...problem })),
  );
  return [...found, ...twins([...linted.values()].flatMap(({ named }) => named))].sort(byPlace);
}

/** By file, and in a file by line. */
export function byPlace(a: Problem, b: Problem): number {
  return a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1;
}

/** Headings that leave out a level, or compete with the heading of the page, the only one of the first level. */
export function headings(tokens: Tokens): TextProblem[] {
  let above = 1;
  return tokens.flatMap((token, index): TextProblem[] => {
    if (token.type !== 'heading_open') return [];
    const level = Number(token.tag.slice(1));
    const allowed = Math.max(2, Math.min(level, above + 1));
    above = allowed;
    if (level === allowed) return [];
    const found = `${'#'.repeat(level)} ${tokens[index + 1]?.content ?? ''}`;
    const expected = `a heading of level ${allowed}, "${'#'.repeat(allowed)}"`;
    return [{ line: lineOf(token), field: 'heading', expected, found }];
  });
}

/** Letters are about half as wide as high; the style sheet gives each cell at least 7 of their heights, 1 between. */
const letterEm = 0.5;
const cellEm = 7;
const gapEm = 1;
/** Two screens of a phone 360 px wide, at 16 px and without the margins of the page: elsewhere, a column of text. */
const tableEm = (2 * 328) / 16;

/** Tables that have to be pushed by more than a screen on a phone, and do not fit the column of text anywhere. */
export function wideTables(tokens: Tokens): TextProblem[] {
  return tokens.flatMap((token, start): TextProblem[] => {
    if (token.type !== 'table_open') return [];
    const end = tokens.findIndex(({ type }, index) => index > start && type === 'table_close');
    const table = tokens.slice(start, end);
    // No word is longer than its cell, and typesetting takes long.
    if (sum(columnWidths(table, (cell) => textOf(cell).length)) <= tableEm) return [];
    const columns = columnWidths(table, longestWord);
    const width = sum(columns);
    if (width <= tableEm) return [];
    const expected = 'a table that a phone shows on two screens: fewer columns, or shorter words';
    const found = `${columns.length} columns, about ${(width / (tableEm / 2)).toFixed(1)} screens wide`;
    return [{ warning: true, line: lineOf(token), field: 'table', expected, found }];
  });
}

/** Widths of the columns of a table in em, with what is between them. @param letters of the longest word of a cell */
function columnWidths(table: Tokens, letters: (cell: Tokens[number]) => number): number[] {
  const columns: number[] = [];
  let column = 0;
  for (const cell of table) {
    if (cell.type === 'tr_open') column = 0;
    if (cell.type !== 'inline') continue;
    columns[column] = Math.max(columns[column] ?? cellEm + gapEm, letters(cell) * letterEm + gapEm);
    column += 1;
  }
  return columns;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function longestWord(cell: Tokens[number]): number {
  const words = typeset(textOf(cell)).split(/[ \n-]/);
  return Math.max(...words.map(({ length }) => length));
}

function textOf({ children }: Tokens[number]): string {
  return (children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');
}

/** Said of any link: a visitor who hears the links of a page one by one learns nothing from them. */
const emptyWords =
  /^(здесь|тут|сюда|отсюда|вот|это|ссылка|по ссылке|по этой ссылке|подробнее|читать далее|далее|перейти|клик|here|link|more)$/i;
const bareAddress = /^(https?:\/\/|www\.)\S+$/i;

/** Links whose words do not say where they lead (WCAG 2.4.4). */
export function linkTexts(tokens: Tokens): TextProblem[] {
  let line = 1;
  return tokens.flatMap((token): TextProblem[] => {
    // The cells of a table do not know their line; its rows do.
    if (token.map) line = lineOf(token);
    const children = token.children ?? [];
    let breaks = 0;
    return children.flatMap((child, index): TextProblem[] => {
      if (child.type === 'softbreak' || child.type === 'hardbreak') breaks += 1;
      if (child.type !== 'link_open') return [];
      const end = children.findIndex(({ type }, at) => at > index && type === 'link_close');
      const inside = children.slice(index + 1, end);
      const text = inside
        .map(({ type, content }) => (type === 'softbreak' ? ' ' : content))
        .join('')
        .trim();
      if (text !== '' && !emptyWords.test(text.replace(/[.,:;!»«"]/g, '')) && !bareAddress.test(text)) return [];
      const expected = 'words that say where the link leads';
      return [{ warning: true, line: line + breaks, field: 'link', expected, found: JSON.stringify(text) }];
    });
  });
}

function lineOf({ map }: Tokens[number]): number {
  return (map?.[0] ?? 0) + 1;
}

/** Without comments, addresses and code, which are not read as words; blanks keep every line where it is. */
function wordsOnly(text: string): string {
  return text.replace(/^\s*#(?: .*)?$|`[^`\n]*`|https?:\/\/[^\s)"']+|[\w.+-]+@[\w.-]+/gm, blank);
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

const latin = /\p{Script=Latin}/gu;
const cyrillic = /\p{Script=Cyrillic}/gu;
/** A word of both alphabets, or a preposition typed on the wrong keyboard. */
const mixed =
  /(?<!\p{L})(?:(?=\p{L}*\p{Script=Latin})(?=\p{L}*\p{Script=Cyrillic})\p{L}+|[co](?= \p{Script=Cyrillic}))/gu;
/** Letters of each alphabet that look like one of the other. */
const latinTwins = /^[aceopxyABCEHKMOPTXY]+$/;
const cyrillicTwins = /^[асеорхуАВСЕНКМОРТХУ]+$/;

/** Words in which a letter of the other alphabet stands for its twin: they look right, and no search finds them. */
export function mixedAlphabets(text: string): TextProblem[] {
  return [...wordsOnly(text).matchAll(mixed)].flatMap(({ 0: word, index }): TextProblem[] => {
    const [latins = '', cyrillics = ''] = [latin, cyrillic].map((letters) => (word.match(letters) ?? []).join(''));
    const foreign = latinTwins.test(latins) ? latins : cyrillicTwins.test(cyrillics) ? cyrillics : '';
    if (foreign === '') return [];
    const name = foreign === latins ? 'Latin' : 'Cyrillic';
    const found = `"${word}" with a ${name} "${[...new Set(foreign)].join('')}"`;
    return [{ warning: true, line: lineAt(text, index), field: 'word', expected: 'a word in one alphabet', found }];
  });
}

/** A word, a blank or the end of a line, and the same word. Repetitions that are meant have a comma or a hyphen. */
const doubled = /(?<![\p{L}\d-])(\p{Script=Cyrillic}+)(?:[ \u00A0]+|[ \t]*\r?\n[ \t]*)\1(?![\p{L}\d-])/giu;

/** Words that stand twice, mostly around the end of a line. */
export function doubledWords(text: string): TextProblem[] {
  return [...wordsOnly(text).matchAll(doubled)].flatMap(({ 0: match, 1: word = '', index }): TextProblem[] => {
    const line = text.slice(text.lastIndexOf('\n', index) + 1);
    // A text may begin with the last word of the heading above it.
    if (match.includes('\n') && line.startsWith('#')) return [];
    const found = `"${match.replace(/\s+/g, ' ')}"`;
    return [{ warning: true, line: lineAt(text, index), field: 'word', expected: `"${word}" once`, found }];
  });
}

function lineAt(text: string, index = 0): number {
  return text.slice(0, index).split('\n').length;
}

/** Files whose facts change without an edit; in others, an entry with a date `checked` asks by itself for a look. */
const mustBeTrue = /^(services\/|rates\.yaml$)/;

/** When an editor last looked at an entry whose facts change without an edit, and where that is written. */
export type Dated = { line: number; field: string; date: string };

/**
 * Entries that editors must look at again and again, each with the day on which it was last changed or, as `checked`
 * says, found true. Articles count if they name sources, for these move on.
 */
function datedEntries({ file, value, lineOf }: Pick<LintedFile, 'file' | 'value' | 'lineOf'>): Dated[] {
  return objectsIn(value, []).flatMap(({ path, entry }): Dated[] => {
    const whole = path.length === 0 && (mustBeTrue.test(file) || ('sources' in entry && file.startsWith('blog/')));
    if (!whole && !('checked' in entry)) return [];
    const dates = ['checked', 'updated', 'effective', 'published'].flatMap((name) => {
      const date = entry[name];
      return typeof date === 'string' && z.iso.date().safeParse(date).success ? [{ name, date }] : [];
    });
    const newest = dates.sort((a, b) => (a.date < b.date ? 1 : -1))[0];
    if (newest === undefined) return [];
    const at = [...path, newest.name];
    return [{ line: lineOf(at), field: at.map(String).join('.'), date: newest.date }];
  });
}

/** @param limit a look before this day is too long ago */
function stale({ line, field, date }: Dated, limit: string): TextProblem[] {
  if (date >= limit) return [];
  const expected = `a look at whether it still holds, and the day of it in "checked", every ${freshDays} days`;
  return [{ warning: true, line, field, expected, found: date }];
}

type Entry = Readonly<Record<string, unknown>>;

/** Every object within a value, with the way to it. */
function objectsIn(value: unknown, path: readonly PropertyKey[]): { path: readonly PropertyKey[]; entry: Entry }[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.entries(value).flatMap(([key, one]) =>
    objectsIn(one, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return Array.isArray(value) ? below : [{ path, entry: value as Entry }, ...below];
}

/** What search results show of one page, and where it was written. */
export type NamedPage = { file: string; field: 'title' | 'description'; text: string; line: number };

/** Titles and descriptions of the pages that a file describes. */
function namedPages({ file, value, lineOf }: LintedFile): NamedPage[] {
  return objectsIn(value, []).flatMap(({ path, entry }) => {
    // Only pages have both.
    if (typeof entry.title !== 'string' || typeof entry.description !== 'string' || 'button' in entry) return [];
    const { title, description } = entry;
    return [
      { file, field: 'title' as const, text: title, line: lineOf([...path, 'title']) },
      { file, field: 'description' as const, text: description, line: lineOf([...path, 'description']) },
    ];
  });
}

/** Pages that search results cannot tell apart. */
function twins(pages: readonly NamedPage[]): Problem[] {
  const first = new Map<string, NamedPage>();
  return pages.flatMap((page): Problem[] => {
    const key = `${page.field}:${page.text
      .toLowerCase()
      .replace(/[\s\u00A0]+/g, ' ')
      .trim()}`;
    const taken = first.get(key);
    if (taken === undefined) {
      first.set(key, page);
      return [];
    }
    const { file, line, field } = page;
    return [
      {
        warning: true,
        file,
        line,
        field,
        expected: 'words that no other page has',
        found: `those of ${taken.file}:${taken.line}`,
      },
    ];
  });
}
