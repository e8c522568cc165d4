import * as z from 'zod';
import { dayMs } from '../lib/calendar.ts';
import { companyFile } from './facts.ts';
import type { Yaml } from './front-matter.ts';
import { inventedIn } from './invented.ts';
import { fieldOf } from './issue-words.ts';
import { inlineTokens, type Token } from './markdown.ts';
import { byPlace, type Problem, said } from './problem.ts';
import { quoted } from './yaml-words.ts';

/*
 * What is wrong with texts although they can be shown. A rule reports only what is certainly wrong, and never what may
 * be meant; one that reports a good text goes.
 */

/** What a rule finds in one text; `line` counts from 1 within it. */
type TextProblem = Omit<Problem, 'file'>;

type Tokens = readonly Token[];

/** Days after which a text has to be checked again. */
export const freshDays = 180;

/** What the rules find in one file, on any day. */
export type Linted = {
  problems: TextProblem[];
  named: NamedPage[];
  dated: Dated[];
  days: Dated[];
  /** Facts of the invented company, which are wrong once the content is another's. */
  invented: TextProblem[];
  /** Whether the file says that the content is not the invented company's. */
  real: boolean;
};

/** A file as it was written, before its schema is known. */
export type LintedFile = {
  file: string;
  text: string;
  yaml: Yaml;
  /** What its YAML says; nothing if that cannot be read. */
  value: unknown;
  /** The Markdown under the front matter, and the line on which it starts. */
  tokens: Tokens;
  bodyLine: number;
};

/** Applies every rule that needs no other file and no date. */
export function lintFile(file: LintedFile): Linted {
  const { tokens, text, yaml } = file;
  const inBody = [...headings(tokens), ...linkTexts(tokens), ...tagsInText(tokens)];
  const fields = file.file.endsWith('.md') ? text.split('\n', file.bodyLine - 1).join('\n') : text;
  return {
    problems: [
      ...inBody.map((found) => ({ ...found, line: found.line + file.bodyLine - 1 })),
      ...mixedAlphabets(text),
      ...tagsInFields(fields),
      ...cutByComments(yaml),
      ...leftovers(file),
    ],
    named: namedPages(file),
    dated: datedEntries(file),
    days: daysIn(file),
    invented: inventedFacts(file),
    real: file.file === companyFile && (file.value as { demo?: unknown } | null | undefined)?.demo === false,
  };
}

/**
 * Everything that is wrong with the texts of a content.
 *
 * @param at what depends on the day is judged on the day of this instant
 * @returns problems by file and line
 */
export function lintContent(linted: ReadonlyMap<string, Linted>, at: Date): Problem[] {
  const limit = new Date(at.getTime() - freshDays * dayMs).toISOString().slice(0, 'yyyy-mm-dd'.length);
  const last = new Date(at.getTime() + farDays * dayMs).toISOString().slice(0, 'yyyy-mm-dd'.length);
  const real = linted.get(companyFile)?.real ?? false;
  const found = [...linted].flatMap(([file, { problems, dated, days, invented }]) =>
    [
      ...problems,
      ...dated.flatMap((one) => stale(one, limit)),
      ...days.flatMap((one) => farAway(one, last)),
      ...(real ? invented : []),
    ].map((problem): Problem => ({ file, ...problem })),
  );
  return [...found, ...twins([...linted.values()].flatMap(({ named }) => named))].sort(byPlace);
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
    const marks = '#'.repeat(allowed);
    const message =
      level === 1
        ? `Один знак # у заголовка всей страницы, он стоит в поле heading. Здесь нужно ${marks}.`
        : `Заголовок пропускает ступень. Здесь нужно ${marks}.`;
    return [{ line: lineOf(token), field: '', message, instead: `${marks} ${tokens[index + 1]?.content ?? ''}` }];
  });
}

/** Words that fit any link: whoever hears the links of a page one by one learns nothing from them. */
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
      const what = text === '' ? 'В ссылке нет слов.' : `По словам ссылки ${said(text)} не понять, куда она ведёт.`;
      const message = `${what} Назовите то, что откроется: [тарифы](/rates).`;
      return [{ warning: true, line: line + breaks, field: '', message }];
    });
  });
}

function lineOf({ map }: Tokens[number]): number {
  return (map?.[0] ?? 0) + 1;
}

/** The text with blanks in place of comments, addresses and code, so that lines stay where they are. */
function wordsOnly(text: string): string {
  return text.replace(/^\s*#(?: .*)?$|`[^`\n]*`|https?:\/\/[^\s)"']+|[\w.+-]+@[\w.-]+/gm, blank);
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

/** Words that one rule reports of a file: nobody reads more, and finding their lines takes long. */
const mostFound = 100;

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
  return [...wordsOnly(text).matchAll(mixed).take(mostFound)].flatMap(({ 0: word, index }): TextProblem[] => {
    const [latins = '', cyrillics = ''] = [latin, cyrillic].map((letters) => (word.match(letters) ?? []).join(''));
    const foreign = latinTwins.test(latins) ? latins : cyrillicTwins.test(cyrillics) ? cyrillics : '';
    if (foreign === '') return [];
    const alphabet = foreign === latins ? 'латинское' : 'русское';
    const letters = [...new Set(foreign)].map((letter) => `«${letter}»`).join(', ');
    const message = `В слове ${said(word)} ${alphabet} ${letters}: выглядит так же, но поиск слова не найдёт. Наберите его заново.`;
    return [{ warning: true, line: lineAt(text, index), field: '', message }];
  });
}

/** What is left of the words that `new` has written for an editor to replace; a draft may have them. */
function leftovers({ text, value }: LintedFile): TextProblem[] {
  if ((value as { draft?: unknown } | null | undefined)?.draft === true) return [];
  return text.split('\n').flatMap((line, index): TextProblem[] => {
    if (!line.includes('ВПИШИТЕ') || /^\s*# /.test(line)) return [];
    const field = /^[\s-]*(\w+):/.exec(line)?.[1] ?? '';
    return [{ warning: true, line: index + 1, field, message: 'Здесь ещё слова образца. Впишите свои.' }];
  });
}

function inventedFacts({ file, text }: LintedFile): TextProblem[] {
  const instead = file === companyFile ? '' : ' или подставьте из company.yaml, как {{ company.name }}';
  return inventedIn(text).map(({ index, found }) => {
    const message = `${said(found)} есть только у компании из образца. Впишите своё${instead}.`;
    return { warning: true, line: lineAt(text, index), field: '', message };
  });
}

function lineAt(text: string, index = 0): number {
  return text.slice(0, index).split('\n').length;
}

/** Files whose facts go out of date; in others, only entries with a date `checked` do. */
const mustBeTrue = /^(services\/|rates\.yaml$)/;

/** When an editor last checked an entry, and where that is written. */
export type Dated = { line: number; field: string; date: string };

/**
 * Entries that editors must look at again and again, each with the day on which it was last changed or, as `checked`
 * says, found true. Articles count if they name sources, for these move on.
 */
function datedEntries({ file, value, yaml }: LintedFile): Dated[] {
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
    return [{ line: yaml.lineOf(at), field: fieldOf(at), date: newest.date }];
  });
}

/** @param limit what was checked before this day is stale */
function stale({ line, field, date }: Dated, limit: string): TextProblem[] {
  if (date >= limit) return [];
  const message = `Сказанное не сверяли больше ${freshDays} дней. Проверьте, всё ли верно, и впишите сегодняшнее число в поле checked.`;
  return [{ warning: true, line, field, message }];
}

/** Nothing is planned for so many days ahead. */
const farDays = 2 * 366;
/** Days on which something was done or comes out; holidays and what ends some day may be far away. */
const nearFields = ['published', 'updated', 'checked', 'effective', 'since'];
/** Before the first marketplaces. */
const firstDay = '1990-01-01';

/** Every day that can be far away only by mistake. */
function daysIn({ value, yaml }: LintedFile): Dated[] {
  return objectsIn(value, []).flatMap(({ path, entry }) =>
    nearFields.flatMap((name): Dated[] => {
      const date = entry[name];
      if (typeof date !== 'string' || !z.iso.date().safeParse(date).success) return [];
      const at = [...path, name];
      return [{ line: yaml.lineOf(at), field: fieldOf(at), date }];
    }),
  );
}

/** @param last a later day is a typing error */
function farAway({ line, field, date }: Dated, last: string): TextProblem[] {
  if (date >= firstDay && date <= last) return [];
  const message = date > last ? `До ${date} больше двух лет.` : `${date} было слишком давно.`;
  return [{ line, field, message: `${message} Проверьте год.` }];
}

/** Tags and comments of HTML, which visitors would see as they are. */
const tags =
  /<!--|<\/?(?:a|b|big|blockquote|br|center|del|div|em|font|h[1-6]|hr|i|iframe|img|li|mark|nobr|ol|p|s|script|small|span|strong|style|sub|sup|table|td|th|tr|u|ul|video)(?:\s[^<>\n]*)?\/?>/i;

function tagProblem(tag: string, line: number, remedy: string): TextProblem {
  return {
    warning: true,
    line,
    field: '',
    message: `Посетители увидят сам знак ${said(tag)}: HTML здесь не действует. ${remedy}`,
  };
}

function tagsInText(tokens: Tokens): TextProblem[] {
  const lines = new Map<number, string>();
  for (const { child, line } of inlineTokens(tokens)) {
    const tag = child.type === 'text' ? tags.exec(child.content)?.[0] : undefined;
    if (tag !== undefined && !lines.has(line)) lines.set(line, tag);
  }
  const remedy = 'Жирное пишут **так**, курсив *так*, ссылку [словами](/rates), новый абзац после пустой строки.';
  return [...lines].map(([line, tag]) => tagProblem(tag, line, remedy));
}

/** @param text YAML, of which every value is shown as it is */
function tagsInFields(text: string): TextProblem[] {
  return wordsOnly(text)
    .split('\n')
    .flatMap((line, index) => {
      const tag = tags.exec(line)?.[0];
      return tag === undefined ? [] : [tagProblem(tag, index + 1, 'Сотрите его.')];
    });
}

/** Values that YAML cuts at `#`. */
function cutByComments(yaml: Yaml): TextProblem[] {
  return yaml.cut().map(({ path, line, typed, whole }) => ({
    ...{ warning: true, line, field: fieldOf(path) },
    message: `На сайт попадёт только ${said(typed)}: дальше стоит #, и это примечание. Возьмите значение в кавычки.`,
    instead: (yaml.lines[line - 1] ?? '').replace(whole, () => quoted(whole)),
  }));
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
function namedPages({ file, value, yaml }: LintedFile): NamedPage[] {
  const { lineOf } = yaml;
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
        message: `То же написано в ${taken.file}:${taken.line}, и поиск эти страницы не различит. Напишите другими словами.`,
      },
    ];
  });
}
