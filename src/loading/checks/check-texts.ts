import { posix } from 'node:path';
import { decoded } from '../../lib/decoded.ts';
import { dayMs } from '../../lib/durations.ts';
import { composed } from '../../lib/tidy.ts';
import { headingsIn, inlinesIn, inlineText } from '../../model/prose.ts';
import type { PictureField } from '../../model/schemas/shared-fields.ts';
import { isFromTemplate } from '../new-file.ts';
import { replacedBy } from '../own-drawings.ts';
import { guillemets, type Problem } from '../problem.ts';
import { pictureFile, pictureProblem } from '../read-pictures.ts';
import { leavesIn, markedIn } from '../schema-parts.ts';
import { problemAt, type Source, textsOf } from '../source.ts';
import { companyDay } from '../sources.ts';
import { videoName } from '../videos.ts';
import type { Path } from '../yaml.ts';
import { quoted } from '../yaml-problems.ts';
import type { CheckInput } from './rule.ts';

/* Rules report only certain errors; remove any rule that flags a good text. */

export function* checkTexts({ sources }: Pick<CheckInput, 'sources'>): Iterable<Problem> {
  for (const source of Object.values(sources).flat()) {
    yield* headings(source);
    yield* linkTexts(source);
    yield* textSlips(source);
    yield* mixedAlphabets(source);
    yield* cutValues(source);
    yield* templateWords(source);
  }
}

/** Level 1 belongs to the page heading. */
function* headings(source: Source<unknown>): Iterable<Problem> {
  let above = 1;
  for (const { level, content, line } of headingsIn(source.body().blocks)) {
    const text = inlineText(content).trim();
    const allowed = Math.max(2, Math.min(level, above + 1));
    above = allowed;
    if (text === '')
      yield problemAt(source, source.bodyLine + line - 1, 'В заголовке нет слов. Допишите его или сотрите.');
    if (level === allowed) continue;
    const marks = '#'.repeat(allowed);
    const message =
      level === 1
        ? `Один знак # у заголовка всей страницы, он стоит в поле heading. Здесь нужно ${marks}.`
        : `Заголовок пропускает ступень. Здесь нужно ${marks}.`;
    yield problemAt(source, source.bodyLine + line - 1, message, { instead: `${marks} ${text}` });
  }
}

const emptyWords =
  /^(здесь|тут|сюда|отсюда|вот|это|ссылка|по ссылке|по этой ссылке|подробнее|читать далее|далее|перейти|клик|here|link|more)$/i;

const bareAddress = /^(https?:\/\/|www\.)\S+$/i;

/** WCAG 2.4.4. */
function* linkTexts(source: Source<unknown>): Iterable<Problem> {
  for (const { content, line, bare } of inlinesIn(source.body().blocks, 'link')) {
    if (content.some(({ type }) => type === 'picture')) continue;
    const words = inlineText(content).trim();
    const isEmpty = words === '' || emptyWords.test(words.replace(/[.,:;!»«"]/g, '')) || bareAddress.test(words);
    if (bare || !isEmpty) continue;
    const what =
      words === '' ? 'В ссылке нет слов.' : `По словам ссылки ${guillemets(words)} не понять, куда она ведёт.`;
    const message = `${what} Назовите то, что откроется: [тарифы](/rates).`;
    yield problemAt(source, source.bodyLine + line - 1, message, { warning: true });
  }
}

function* textSlips(source: Source<unknown>): Iterable<Problem> {
  for (const { text, lineAt, field } of textsOf(source))
    for (const { message, line, warning } of text.slips)
      yield problemAt(source, field.length > 0 ? field : lineAt(line), message, { warning });
}

/** Blanks out comments, addresses and code; keeps line numbers. */
function wordsOnly(text: string): string {
  const others = /^[ \t]*#(?: .*)?$|`[^`\n]*`|https?:\/\/[^\s)"']+|(?<![\w.+-])[\w.+-]+@[\w.-]+/gm;
  return text.replace(others, (found) => found.replace(/[^\n]/g, ' '));
}

/** Mixed alphabets, or a Russian preposition typed in Latin. */
const mixed =
  /(?<!\p{L})(?:(?=\p{L}*\p{Script=Latin})(?=\p{L}*\p{Script=Cyrillic})\p{L}+|[co](?= \p{Script=Cyrillic}))/gu;
const latinTwins = /^[aceopxyABCEHKMOPTXY]+$/;
const cyrillicTwins = /^[асеорхуАВСЕНКМОРТХУ]+$/;

/** Search would not find words with lookalike letters from the other alphabet. */
function* mixedAlphabets(source: Source<unknown>): Iterable<Problem> {
  for (const [index, line] of wordsOnly(source.text).split('\n').entries()) {
    for (const [word] of line.matchAll(mixed)) {
      const latin = word.replace(/[^\p{Script=Latin}]/gu, '');
      const cyrillic = word.replace(/[^\p{Script=Cyrillic}]/gu, '');
      if (!latinTwins.test(latin) && !cyrillicTwins.test(cyrillic)) continue;
      const [alphabet, letters] = latinTwins.test(latin) ? ['латинское', latin] : ['русское', cyrillic];
      const message = `В слове ${guillemets(word)} ${alphabet} «${letters}»: выглядит так же, но поиск слова не найдёт. Наберите его заново.`;
      yield problemAt(source, index + 1, message, { warning: true });
    }
  }
}

/** An unquoted value cut short by `#`. */
const cut = /^(\s*(?:- +(?! ))*(?:[\w-]+:[ \t]+|(?<=- +)))(?!["'[{>|&*#])(.*?\S)([ \t]+#[^\s#].*)$/;

function* cutValues(source: Source<unknown>): Iterable<Problem> {
  const fields = source.text.split('\n', source.file.endsWith('.md') ? source.bodyLine - 1 : undefined);
  for (const [index, text] of fields.entries()) {
    const [, before = '', value = '', rest = ''] = cut.exec(text) ?? [];
    if (rest === '') continue;
    const message = `На сайт попадёт только ${guillemets(value)}: дальше стоит #, и это примечание. Возьмите значение в кавычки.`;
    yield problemAt(source, index + 1, message, { warning: true, instead: before + quoted(value + rest.trimEnd()) });
  }
}

/** Words left of what `new` wrote; drafts may keep them. */
function* templateWords(source: Source<unknown>): Iterable<Problem> {
  if ((source.value as { draft?: boolean }).draft) return;
  for (const [index, text] of source.text.split('\n').entries()) {
    const isComment = index + 1 < source.bodyLine && /^\s*#/.test(text);
    if (isComment || !isFromTemplate(text)) continue;
    yield problemAt(source, index + 1, 'Здесь ещё слова образца. Впишите свои.');
  }
}

type NamedPicture = { src: string; alt?: string; place: Path | number; ending?: string };

function picturesIn(source: Source<unknown>): NamedPicture[] {
  const inTexts = textsOf(source).flatMap(({ text, lineAt }) =>
    inlinesIn(text.blocks, 'picture').map(({ src, alt, line }) => ({ src, alt, place: lineAt(line) })),
  );
  const inFields = markedIn(source.schema, source.value).flatMap(({ path, value, mark }): NamedPicture[] => {
    if (!('shows' in mark) || mark.shows === 'video' || String(value).startsWith('/')) return [];
    if (mark.shows === 'picture') return [{ ...(value as PictureField), place: path }];
    return [{ src: String(value), place: path, ending: '.svg' }];
  });
  return [...inTexts, ...inFields];
}

export function* checkPictures({ sources, files, pictures }: CheckInput): Iterable<Problem> {
  const silent = 'Не сказано, что на ней. Впишите это в квадратные скобки: ![Короба на паллете](…).';
  for (const source of Object.values(sources).flat()) {
    for (const { src, alt, place, ending } of picturesIn(source)) {
      const problem = alt?.trim() === '' ? silent : pictureProblem({ files, pictures }, source.file, src, ending);
      if (problem !== undefined)
        yield problemAt(source, place, `Картинка ${guillemets(decoded(src) ?? src)}. ${problem}`);
    }
  }
}

/** Pictures and videos that no text names, once every text can be read. */
export function* checkUnused({ sources, files, problems }: CheckInput): Iterable<Problem> {
  if (problems.length > 0) return;
  const named = Object.values(sources)
    .flat()
    .flatMap((source: Source<unknown>) => {
      const folder = posix.dirname(source.file);
      return [...picturesIn(source), ...videosIn(source)].map(({ src }) => posix.join(folder, decoded(src) ?? src));
    });
  const used = new Set(named);
  for (const file of files.keys()) {
    if (!pictureFile.test(file) && !videoName.test(file)) continue;
    if (replacedBy(file) !== undefined || used.has(composed(file))) continue;
    const message = 'Этот файл не называет ни один текст, и посетители его не увидят. Назовите его или уберите.';
    yield { file, line: 1, field: '', message, warning: true };
  }
}

function videosIn(source: Source<unknown>): { src: string }[] {
  return markedIn(source.schema, source.value).flatMap(({ value, mark }) =>
    'shows' in mark && mark.shows === 'video' ? [{ src: String(value) }] : [],
  );
}

const days = ['checked', 'updated', 'effective', 'published', 'since'];
const firstDay = '1990-01-01';
const maxDaysAhead = 2 * 366;

/** Dates this far ahead are typos, except holidays and end dates. */
export function* checkDays({ sources, at }: Pick<CheckInput, 'sources' | 'at'>): Iterable<Problem> {
  const lastDay = new Date(at.getTime() + maxDaysAhead * dayMs).toISOString().slice(0, 'yyyy-mm-dd'.length);
  for (const source of Object.values(sources).flat()) {
    for (const { path, value } of leavesIn(source.value)) {
      const isDay = typeof value === 'string' && days.includes(String(path.at(-1)));
      if (!isDay || (value >= firstDay && value <= lastDay)) continue;
      yield problemAt(source, path, `${value} больше чем за два года отсюда или слишком давно. Проверьте год.`);
    }
  }
}

/** A day of the past by meaning: of an edit, or of a look at a departure. A post that waits is edited by its day. */
export function* checkPast({ sources, at }: Pick<CheckInput, 'sources' | 'at'>): Iterable<Problem> {
  const today = companyDay(sources, at);
  for (const source of Object.values(sources).flat()) {
    const { published = today } = source.value as { published?: string };
    const latest = published > today ? published : today;
    for (const { path, value } of leavesIn(source.value)) {
      if (!['updated', 'checked'].includes(String(path.at(-1))) || String(value) <= latest) continue;
      const message = `${value} ещё не наступило, а посетители прочтут, что это уже сделано. Впишите прошедший день.`;
      yield problemAt(source, path, message, { warning: true });
    }
  }
}
