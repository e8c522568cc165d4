import type { Yaml } from './front-matter.ts';
import type { Problem } from './problem.ts';

/*
 * Says in an editor's words why the YAML of a file cannot be read. The parser names a place and a rule of YAML; editors
 * have forgotten a quotation mark, or written a colon within a title. So lines are looked at once more.
 */

type Words = Pick<Problem, 'message' | 'instead'>;
type Found = Words & { line: number };

/** What stands before the value of a field or of an item of a list, and the value. */
const valueLine = /^(\s*(?:- +)*(?:[\p{L}\w-]+:[ \t]+)?)(.*)$/u;
const fieldLine = /^\s*(?:- +)*([\p{L}\w-]+):(?:\s|$)/u;

/** A text in quotation marks that keep it whole, whatever is in it. */
export function quoted(text: string): string {
  return /["\\]/.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`;
}

/** The first mistake of a file that cannot be read: what the parser says of the lines below it is rarely true. */
export function yamlProblems(file: string, yaml: Yaml): Problem[] {
  const [error] = yaml.document.errors;
  // Otherwise a value refers to another which there is not: its author has begun a word with `*`.
  const noticed = error ? yaml.lineAt(error.pos[0]) : yaml.lines.findIndex((line) => slipIn(line)) + 1;
  if (noticed === 0) return [];
  const found = explain(error?.code ?? '', noticed, yaml.lines);
  const [, field = ''] = fieldLine.exec(yaml.lines[found.line - 1] ?? '') ?? [];
  return [{ file, field, ...found }];
}

/** @param noticed the line on which the parser could not go on, from 1 */
function explain(code: string, noticed: number, lines: readonly string[]): Found {
  for (const [index, text] of lines.slice(0, noticed).entries()) {
    const slip = wrongQuotes(text, lines[index + 1]);
    if (slip) return { line: index + 1, ...slip };
  }
  const text = lines[noticed - 1] ?? '';
  const slip = slipIn(text);
  if (slip) return { line: noticed, ...slip };
  const next = lines[noticed] ?? '';
  if (code.endsWith('IMPLICIT_KEY') && fieldLine.test(next) && indentOf(next) > indentOf(text)) {
    const message = 'Строка сдвинута вправо. Сотрите лишние пробелы в начале.';
    return { line: noticed + 1, message, instead: ' '.repeat(indentOf(text)) + next.trimStart() };
  }
  const open = lines.slice(0, noticed).findLastIndex((one) => one.split(/[[{]/).length > one.split(/[\]}]/).length);
  if (code !== 'DUPLICATE_KEY' && open !== -1) {
    return { line: open + 1, message: 'Скобка [ или { открыта и не закрыта. Поставьте в конце ] или }.' };
  }
  return { line: noticed, message: byCode[code] ?? general };
}

const indentOf = (text: string) => /^ */.exec(text)?.[0].length ?? 0;

/** A quotation mark that opens a value and does not end it. @param next a text in quotation marks may go on there */
function wrongQuotes(text: string, next = ''): Words | undefined {
  const [, before = '', value = ''] = valueLine.exec(text) ?? [];
  const mark = value.charAt(0);
  if (before.trim() === '' || (mark !== '"' && mark !== "'")) return undefined;
  const [whole = ''] = (mark === '"' ? /^"(?:[^"\\]|\\.)*"/ : /^'(?:[^']|'')*'/).exec(value) ?? [];
  if (whole === '') {
    if (!/^(---|\s*)$/.test(next) && !fieldLine.test(next) && !/^\s*- /.test(next)) return undefined;
    const message = 'Кавычка открыта и не закрыта. Поставьте такую же в конце значения.';
    return { message, instead: before + value.trimEnd() + mark };
  }
  if (/^\s*(?:$|[#:,\]}])/.test(value.slice(whole.length))) return undefined;
  const message = 'Значение кончается на второй кавычке. Замените внутренние кавычки ёлочками «» или внешние другими.';
  return { message, instead: before + quoted(value.endsWith(mark) ? value.slice(1, -1) : value) };
}

/** What can be seen of a line by itself. */
function slipIn(text: string): Words | undefined {
  if (/^ *\t/.test(text)) {
    const instead = text.replace(/^[ \t]+/, (blanks) => blanks.replaceAll('\t', '  '));
    return { message: 'Строка начинается с табуляции. Отступы делают пробелами, по два на шаг.', instead };
  }
  const pressed = /^\s*(?:- +)*[\w-]+:(?=[^\s:])|^\s*-(?=[^\s\d-])/.exec(text)?.[0];
  if (pressed !== undefined) {
    const message = 'После двоеточия и дефиса нужен пробел.';
    return { message, instead: `${pressed} ${text.slice(pressed.length)}` };
  }
  const [, before = '', value = ''] = valueLine.exec(text) ?? [];
  const instead = before + quoted(value.trimEnd());
  if (before.trim() === '') return undefined;
  if (/^[^"'[{>|].*:(?:\s|$)/.test(value)) {
    return { message: 'В значении есть двоеточие с пробелом. Возьмите значение в кавычки.', instead };
  }
  if (/^[@%`!&*]/.test(value)) {
    return {
      message: 'У знака, с которого начинается значение, здесь особый смысл. Возьмите значение в кавычки.',
      instead,
    };
  }
  return undefined;
}

const byCode: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'Это поле стоит дважды. Оставьте одно.',
  BAD_INDENT: 'Отступ не такой, как у соседних строк. Поля одной записи начинаются на одном расстоянии от края.',
  BAD_DQ_ESCAPE: 'В двойных кавычках знак \\ имеет особый смысл. Возьмите значение в одинарные.',
};

const general =
  'Эта строка не похожа на поле. Поле пишут так: «title: Текст», с отступом, как у соседей, двоеточием и пробелом. ' +
  'Если здесь начинается текст, поставьте перед ним строку из трёх дефисов: ---';

/** The front matter is missing, or where it should end. */
export function withoutFrontMatter(file: string, text: string): Problem {
  const lines = text.split('\n');
  const blank = lines.findIndex((one, index) => index > 0 && one.trim() === '');
  if (lines[0]?.trimEnd() === '---') {
    const message = 'После полей нужна вторая строка из трёх дефисов, а под ней начинается текст.';
    return { file, line: blank === -1 ? lines.length : blank + 1, field: '', message, instead: '---' };
  }
  const message =
    'Файл начинается с полей между двумя строками из трёх дефисов: ---. Первой такой строки нет. ' +
    'Посмотрите на соседний файл этой папки.';
  return { file, line: 1, field: '', message };
}
