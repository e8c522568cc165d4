import * as z from 'zod';
import { dayMs } from '../lib/calendar.ts';
import { companyFile } from './facts.ts';
import type { Yaml } from './front-matter.ts';
import { inventedIn } from './invented.ts';
import { fieldOf } from './issue-words.ts';
import { inlineTokens, type Token } from './markdown.ts';
import { byPlace, guillemets, type Problem } from './problem.ts';
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
  days: Day[];
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
  const { tokens, text } = file;
  const inBody = [...headings(tokens), ...linkTexts(tokens)];
  return {
    problems: [
      ...inBody.map((found) => ({ ...found, line: found.line + file.bodyLine - 1 })),
      ...mixedAlphabets(text),
      ...tags(text),
      ...cutByComments(file.file.endsWith('.md') ? text.split('\n', file.bodyLine - 1).join('\n') : text),
      ...leftovers(file),
    ],
    named: namedPages(file),
    days: daysIn(file),
    invented: inventedFacts(file),
    real: file.file === companyFile && (file.value as { demo?: unknown } | null | undefined)?.demo === false,
  };
}

/** Everything that is wrong with the texts of a content, by file and line. @param at the day for rules that need one */
export function lintContent(linted: ReadonlyMap<string, Linted>, at: Date): Problem[] {
  const limit = new Date(at.getTime() - freshDays * dayMs).toISOString().slice(0, 'yyyy-mm-dd'.length);
  const last = new Date(at.getTime() + farDays * dayMs).toISOString().slice(0, 'yyyy-mm-dd'.length);
  const real = linted.get(companyFile)?.real ?? false;
  const found = [...linted].flatMap(([file, { problems, days, invented }]) =>
    [...problems, ...days.flatMap((day) => wrongDay(day, limit, last)), ...(real ? invented : [])].map(
      (problem): Problem => ({ file, ...problem }),
    ),
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
    return [
      { line: (token.map?.[0] ?? 0) + 1, field: '', message, instead: `${marks} ${tokens[index + 1]?.content ?? ''}` },
    ];
  });
}

/** Words that fit any link: whoever hears the links of a page one by one learns nothing from them. */
const emptyWords =
  /^(здесь|тут|сюда|отсюда|вот|это|ссылка|по ссылке|по этой ссылке|подробнее|читать далее|далее|перейти|клик|here|link|more)$/i;
const bareAddress = /^(https?:\/\/|www\.)\S+$/i;

/** Links whose words do not say where they lead (WCAG 2.4.4). */
export function linkTexts(tokens: Tokens): TextProblem[] {
  const inline = inlineTokens(tokens);
  return inline.flatMap(({ child, line }, index): TextProblem[] => {
    if (child.type !== 'link_open') return [];
    const end = inline.findIndex((one, at) => at > index && one.child.type === 'link_close');
    const inside = inline
      .slice(index + 1, end)
      .map((one) => (one.child.type === 'softbreak' ? ' ' : one.child.content));
    const text = inside.join('').trim();
    if (text !== '' && !emptyWords.test(text.replace(/[.,:;!»«"]/g, '')) && !bareAddress.test(text)) return [];
    const what = text === '' ? 'В ссылке нет слов.' : `По словам ссылки ${guillemets(text)} не понять, куда она ведёт.`;
    const message = `${what} Назовите то, что откроется: [тарифы](/rates).`;
    return [{ warning: true, line, field: '', message }];
  });
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
    const message = `В слове ${guillemets(word)} ${alphabet} ${letters}: выглядит так же, но поиск слова не найдёт. Наберите его заново.`;
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
    const message = `${guillemets(found)} есть только у компании из образца. Впишите своё${instead}.`;
    return { warning: true, line: lineAt(text, index), field: '', message };
  });
}

function lineAt(text: string, index = 0): number {
  return text.slice(0, index).split('\n').length;
}

/** Files whose facts go out of date; in others, articles with sources, and entries with a date `checked`. */
const mustBeTrue = /^(services\/|rates\.yaml$)/;
/** Nothing is planned for so many days ahead. */
const farDays = 2 * 366;
/** Before the first marketplaces. */
const firstDay = '1990-01-01';
/** Days that only a mistake puts far away: holidays and the end of something may be. All but `since` say an entry's age. */
const dayFields = ['checked', 'updated', 'effective', 'published', 'since'];

/** A day that an editor wrote, and whether it says how old its entry is. */
export type Day = { line: number; field: string; date: string; ages: boolean };

function daysIn({ file, value, yaml }: LintedFile): Day[] {
  return objectsIn(value, []).flatMap(({ path, entry }) => {
    const whole = path.length === 0 && (mustBeTrue.test(file) || ('sources' in entry && file.startsWith('blog/')));
    const days = dayFields.flatMap((name) => {
      const date = entry[name];
      return typeof date === 'string' && z.iso.date().safeParse(date).success ? [{ name, date }] : [];
    });
    const [newest] = days.filter(({ name }) => name !== 'since').sort((a, b) => (a.date < b.date ? 1 : -1));
    return days.map((day): Day => {
      const at = [...path, day.name];
      const ages = day === newest && (whole || 'checked' in entry);
      return { line: yaml.lineOf(at), field: fieldOf(at), date: day.date, ages };
    });
  });
}

/** @param limit what was checked before this day is stale @param last a later day is a slip of the keyboard */
function wrongDay({ line, field, date, ages }: Day, limit: string, last: string): TextProblem[] {
  if (date > last) return [{ line, field, message: `До ${date} больше двух лет. Проверьте год.` }];
  if (date < firstDay) return [{ line, field, message: `${date} было слишком давно. Проверьте год.` }];
  if (!ages || date >= limit) return [];
  const message = `Сказанное не сверяли больше ${freshDays} дней. Проверьте, всё ли верно, и впишите сегодняшнее число в поле checked.`;
  return [{ warning: true, line, field, message }];
}

/** A tag or comment of HTML, which visitors would see as it is. */
const tag =
  /<!--|<\/?(?:a|b|big|blockquote|br|center|del|div|em|font|h[1-6]|hr|i|iframe|img|li|mark|nobr|ol|p|s|script|small|span|strong|style|sub|sup|table|td|th|tr|u|ul|video)(?:\s[^<>\n]*)?\/?>/i;

function tags(text: string): TextProblem[] {
  return wordsOnly(text)
    .split('\n')
    .flatMap((line, index): TextProblem[] => {
      const found = tag.exec(line)?.[0];
      if (found === undefined) return [];
      const remedy = 'Сотрите его: жирное пишут **так**, курсив *так*, новый абзац после пустой строки.';
      const message = `Посетители увидят сам знак ${guillemets(found)}: HTML здесь не действует. ${remedy}`;
      return [{ warning: true, line: index + 1, field: '', message }];
    });
}

/** A value without quotes that `#` ends, with what stands before it; its author may not have meant a comment. */
const cut = /^(\s*(?:- +)*(?:([\w-]+):[ \t]+|(?<=- +)))(?!["'[{>|&*#])(.*?\S)([ \t]+#[^\s#].*)$/;

function cutByComments(fields: string): TextProblem[] {
  return fields.split('\n').flatMap((text, index): TextProblem[] => {
    const [, before = '', field = '', value = '', rest = ''] = cut.exec(text) ?? [];
    if (rest === '') return [];
    const message = `На сайт попадёт только ${guillemets(value)}: дальше стоит #, и это примечание. Возьмите значение в кавычки.`;
    return [{ warning: true, line: index + 1, field, message, instead: before + quoted(value + rest.trimEnd()) }];
  });
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
export type NamedPage = { file: string; field: string; text: string; line: number };

/** Titles and descriptions of the pages that a file describes; forms, which have a button, are no pages. */
function namedPages({ file, value, yaml }: LintedFile): NamedPage[] {
  return objectsIn(value, []).flatMap(({ path, entry }) => {
    const { title, description } = entry;
    if (typeof title !== 'string' || typeof description !== 'string' || 'button' in entry) return [];
    return Object.entries({ title, description }).map(([field, text]) => {
      return { file, field, text, line: yaml.lineOf([...path, field]) };
    });
  });
}

/** Pages that search results cannot tell apart. */
function twins(pages: readonly NamedPage[]): Problem[] {
  const alike = Map.groupBy(pages, ({ field, text }) => `${field}: ${text.toLowerCase().replace(/\s+/g, ' ').trim()}`);
  return [...alike.values()].flatMap(([first, ...others]) =>
    others.map(({ file, line, field }) => {
      const where = `${first?.file}:${first?.line}`;
      const message = `То же написано в ${where}, и поиск эти страницы не различит. Напишите другими словами.`;
      return { warning: true, file, line, field, message };
    }),
  );
}
