import { existsSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import MarkdownIt from 'markdown-it';
import * as z from 'zod';
import { filesBelow } from '../files.ts';
import { contentReader, type Problem, type Source } from './source.ts';
import { typeset } from './typography.ts';

/*
 * What is wrong with texts although they can be shown. Each rule reports what is certainly wrong and
 * nothing that may be meant; where a rule and a good text disagree, the rule goes.
 */

/** An error keeps the site from being built; a warning is for the editor to judge. */
export type Finding = Problem & { severity: 'error' | 'warning' };

/** What a rule finds in one text; `line` counts from 1 within it. */
type Found = Pick<Finding, 'severity' | 'line' | 'field' | 'expected' | 'found'>;

/** The same Markdown that pages are rendered from. */
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });

type Tokens = ReturnType<typeof markdown.parse>;

/** For how many days a text counts as true. */
export const freshDays = 180;

/**
 * Applies every rule to every file of the content.
 *
 * @param at whatever depends on the day is judged on the day of this instant
 * @returns findings by file and line; files that cannot be read are none of its business
 */
export function lintContent(dir: string, at: Date): Finding[] {
  if (!existsSync(dir)) return [];
  const reader = contentReader(dir);
  const named: NamedPage[] = [];
  const findings = filesBelow(dir).flatMap((path): Finding[] => {
    const file = path.slice(dir.length).split(sep).join('/').replace(/^\//, '');
    if (!/\.(md|yaml)$/.test(file)) return [];
    const text = readFileSync(join(dir, file), 'utf8');
    const source = reader.file(file, z.unknown());
    if (source === undefined) return [];
    named.push(...namedPages(source));
    const tokens = markdown.parse(source.body, {});
    const inBody = [...headings(tokens), ...wideTables(tokens), ...linkTexts(tokens)];
    return [
      ...inBody.map((found) => ({ ...found, line: found.line + source.bodyLine - 1 })),
      ...mixedAlphabets(text),
      ...doubledWords(text),
      ...stale(source, at),
    ].map((found) => ({ file, ...found }));
  });
  return [...findings, ...twins(named)].sort(byPlace);
}

/** By file, and in a file by line. */
export function byPlace(a: Problem, b: Problem): number {
  return a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1;
}

/** Headings that leave out a level, or compete with the heading of the page, which is the only one of the first level. */
export function headings(tokens: Tokens): Found[] {
  let above = 1;
  return tokens.flatMap((token, index): Found[] => {
    if (token.type !== 'heading_open') return [];
    const level = Number(token.tag.slice(1));
    const allowed = Math.max(2, Math.min(level, above + 1));
    above = allowed;
    if (level === allowed) return [];
    const found = `${'#'.repeat(level)} ${tokens[index + 1]?.content ?? ''}`;
    const expected = `a heading of level ${allowed}, "${'#'.repeat(allowed)}"`;
    return [{ severity: 'error', line: lineOf(token), field: 'heading', expected, found }];
  });
}

/** Letters are about half as wide as high; the stylesheet gives each cell at least 7 of their heights, and 1 between. */
const letterEm = 0.5;
const cellEm = 7;
const gapEm = 1;
/** Two screens of a phone 360 px wide, at 16 px and without the margins of the page. That is a text column elsewhere. */
const tableEm = (2 * 328) / 16;

/** Tables that have to be pushed by more than a screen on a phone, and do not fit the column of text anywhere. */
export function wideTables(tokens: Tokens): Found[] {
  return tokens.flatMap((token, start): Found[] => {
    if (token.type !== 'table_open') return [];
    const end = tokens.findIndex(({ type }, index) => index > start && type === 'table_close');
    const columns: number[] = [];
    let column = 0;
    for (const cell of tokens.slice(start, end)) {
      if (cell.type === 'tr_open') column = 0;
      if (cell.type !== 'inline') continue;
      columns[column] = Math.max(columns[column] ?? cellEm, longestWord(cell) * letterEm);
      column += 1;
    }
    const width = columns.reduce((total, one) => total + one + gapEm, 0);
    if (width <= tableEm) return [];
    const expected = 'a table that a phone shows on two screens: fewer columns, or shorter words';
    const found = `${columns.length} columns, about ${(width / (tableEm / 2)).toFixed(1)} screens wide`;
    return [{ severity: 'warning', line: lineOf(token), field: 'table', expected, found }];
  });
}

function longestWord(cell: Tokens[number]): number {
  const words = typeset(textOf(cell)).split(/[ \n-]/);
  return Math.max(...words.map(({ length }) => length));
}

function textOf({ children }: Tokens[number]): string {
  return (children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');
}

/** Said of any link: whoever hears the links of a page one by one learns nothing from them. */
const emptyWords =
  /^(здесь|тут|сюда|отсюда|вот|это|ссылка|по ссылке|по этой ссылке|подробнее|читать далее|далее|перейти|клик|here|link|more)$/i;
const bareAddress = /^(https?:\/\/|www\.)\S+$/i;

/** Links whose words do not say where they lead (WCAG 2.4.4). */
export function linkTexts(tokens: Tokens): Found[] {
  let line = 1;
  return tokens.flatMap((token): Found[] => {
    // The cells of a table do not know their line; its rows do.
    if (token.map) line = lineOf(token);
    const children = token.children ?? [];
    let breaks = 0;
    return children.flatMap((child, index): Found[] => {
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
      return [{ severity: 'warning', line: line + breaks, field: 'link', expected, found: JSON.stringify(text) }];
    });
  });
}

function lineOf({ map }: Tokens[number]): number {
  return (map?.[0] ?? 0) + 1;
}

/** Without comments, addresses and code, which nobody reads as words; blanks keep every line where it is. */
function wordsOnly(text: string): string {
  return text.replace(/^\s*#(?: .*)?$|`[^`\n]*`|https?:\/\/[^\s)"']+|[\w.+-]+@[\w.-]+/gm, blank);
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

const latin = /\p{Script=Latin}/gu;
const cyrillic = /\p{Script=Cyrillic}/gu;
/** Letters of each alphabet that look like one of the other. */
const latinTwins = /^[aceopxyABCEHKMOPTXY]+$/;
const cyrillicTwins = /^[асеорхуАВСЕНКМОРТХУ]+$/;

/** Words in which a letter of the other alphabet stands for its twin: they look right, and no search finds them. */
export function mixedAlphabets(text: string): Found[] {
  const words = wordsOnly(text);
  return [...words.matchAll(/\p{L}+/gu)].flatMap(({ 0: word, index }): Found[] => {
    const [latins = '', cyrillics = ''] = [latin, cyrillic].map((letters) => (word.match(letters) ?? []).join(''));
    // A preposition typed on the wrong keyboard.
    const alone = /^[co]$/.test(word) && /^ \p{Script=Cyrillic}/u.test(words.slice(index + 1, index + 3));
    if (!alone && (latins === '' || cyrillics === '')) return [];
    const foreign = latinTwins.test(latins) ? latins : cyrillicTwins.test(cyrillics) ? cyrillics : '';
    if (foreign === '') return [];
    const name = foreign === latins ? 'Latin' : 'Cyrillic';
    const found = `"${word}" with a ${name} "${[...new Set(foreign)].join('')}"`;
    return [
      { severity: 'warning', line: lineAt(text, index), field: 'word', expected: 'a word in one alphabet', found },
    ];
  });
}

/** A word, a blank or the end of a line, and the same word. Repetitions that are meant have a comma or a hyphen. */
const doubled = /(?<![\p{L}\d-])(\p{Script=Cyrillic}+)(?:[ \u00A0]+|[ \t]*\r?\n[ \t]*)\1(?![\p{L}\d-])/giu;

/** Words that stand twice, mostly around the end of a line. */
export function doubledWords(text: string): Found[] {
  return [...wordsOnly(text).matchAll(doubled)].flatMap(({ 0: match, 1: word = '', index }): Found[] => {
    const line = text.slice(text.lastIndexOf('\n', index) + 1);
    // A text may begin with the last word of the heading above it.
    if (match.includes('\n') && line.startsWith('#')) return [];
    const found = `"${match.replace(/\s+/g, ' ')}"`;
    return [{ severity: 'warning', line: lineAt(text, index), field: 'word', expected: `"${word}" once`, found }];
  });
}

function lineAt(text: string, index = 0): number {
  return text.slice(0, index).split('\n').length;
}

/** Files whose facts change while nobody edits them; elsewhere, an entry with a date `checked` asks for it by itself. */
const mustBeTrue = /^(services\/|rates\.yaml$)/;

/**
 * Entries that nobody has looked at for long: neither changed nor found true, which `checked` says.
 * Articles count if they name sources, for these move on.
 */
export function stale({ file, value, lineOf }: Source<unknown>, at: Date): Found[] {
  const limit = new Date(at.getTime() - freshDays * 86_400_000).toISOString().slice(0, 'yyyy-mm-dd'.length);
  return dated(value, []).flatMap(({ path, entry }): Found[] => {
    const whole = path.length === 0 && (mustBeTrue.test(file) || ('sources' in entry && file.startsWith('blog/')));
    if (!whole && !('checked' in entry)) return [];
    const dates = ['checked', 'updated', 'effective', 'published'].flatMap((name) => {
      const date = entry[name];
      return typeof date === 'string' && z.iso.date().safeParse(date).success ? [{ name, date }] : [];
    });
    const newest = dates.sort((a, b) => (a.date < b.date ? 1 : -1))[0];
    if (newest === undefined || newest.date >= limit) return [];
    const expected = `a look at whether it still holds, and the day of it in "checked", every ${freshDays} days`;
    const line = lineOf([...path, newest.name]);
    return [
      { severity: 'warning', line, field: [...path, newest.name].map(String).join('.'), expected, found: newest.date },
    ];
  });
}

type Entry = Readonly<Record<string, unknown>>;

/** Every object within a value, with the way to it. */
function dated(value: unknown, path: readonly PropertyKey[]): { path: readonly PropertyKey[]; entry: Entry }[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.entries(value).flatMap(([key, one]) =>
    dated(one, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return Array.isArray(value) ? below : [{ path, entry: value as Entry }, ...below];
}

/** What search results show of one page, and where it was written. */
export type NamedPage = { file: string; field: 'title' | 'description'; text: string; line: number };

/** Titles and descriptions of the pages that a file describes. */
function namedPages({ file, value, lineOf }: Source<unknown>): NamedPage[] {
  return dated(value, []).flatMap(({ path, entry }) => {
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
export function twins(pages: readonly NamedPage[]): Finding[] {
  const first = new Map<string, NamedPage>();
  return pages.flatMap((page): Finding[] => {
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
        severity: 'warning',
        file,
        line,
        field,
        expected: 'words that no other page has',
        found: `those of ${taken.file}:${taken.line}`,
      },
    ];
  });
}
