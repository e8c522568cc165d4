import type { Problem } from './problem.ts';
import type { Yaml } from './yaml.ts';

/* The parser stops late and cites YAML rules, so typos are looked for in the lines themselves. */

type Slip = { message: string; instead?: string };

const valueLine = /^(\s*(?:- +)*(?:[\p{L}\w-]+:[ \t]+)?)(.*)$/u;
const fieldLine = /^\s*(?:- +)*([\p{L}\w-]+):(?:\s|$)/u;

export function quoted(text: string): string {
  return /["\\]/.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`;
}

/** @param text the original file @returns only the first error, as later ones may follow from it */
export function yamlProblem(file: string, text: string, error: NonNullable<Yaml['error']>): Problem {
  const lines = text.split('\n');
  // A supposed alias is a value that starts with `*`.
  const noticed = error.line ?? Math.max(1, lines.findIndex((line) => slipIn(line)) + 1);
  const { line, ...slip } = explain(lines, noticed, error.code);
  const [, field = ''] = fieldLine.exec(lines[line - 1] ?? '') ?? [];
  return { file, line, field, ...slip };
}

/** @param noticed line where the parser stopped, from 1 */
function explain(lines: readonly string[], noticed: number, code: string): Slip & { line: number } {
  for (const [index, text] of lines.slice(0, noticed).entries()) {
    const slip = wrongQuotes(text, lines[index + 1]);
    if (slip) return { line: index + 1, ...slip };
  }
  const slip = slipIn(lines[noticed - 1] ?? '');
  if (slip) return { line: noticed, ...slip };
  const open = lines.slice(0, noticed).findLastIndex((one) => one.split(/[[{]/).length > one.split(/[\]}]/).length);
  if (code !== 'DUPLICATE_KEY' && open !== -1) {
    return { line: open + 1, message: 'Скобка [ или { открыта и не закрыта. Поставьте в конце ] или }.' };
  }
  return { line: noticed, message: byCode[code] ?? general };
}

/** @param next the quoted text may continue there */
function wrongQuotes(text: string, next = ''): Slip | undefined {
  const [, before = '', value = ''] = valueLine.exec(text.trimEnd()) ?? [];
  const mark = value.charAt(0);
  if (before.trim() === '' || (mark !== '"' && mark !== "'")) return undefined;
  const [whole] = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/.exec(value) ?? [];
  if (whole === undefined) {
    if (!fieldLine.test(next) && !/^(\s*- .*|---|\s*)$/.test(next)) return undefined;
    const message = 'Кавычка открыта и не закрыта. Поставьте такую же в конце значения.';
    return { message, instead: before + value + mark };
  }
  if (/^\s*(?:$|[#:,\]}])/.test(value.slice(whole.length))) return undefined;
  const message = 'Значение кончается на второй кавычке. Замените внутренние кавычки ёлочками «» или внешние другими.';
  return { message, instead: before + quoted(value.endsWith(mark) ? value.slice(1, -1) : value) };
}

function slipIn(text: string): Slip | undefined {
  if (/^ *\t/.test(text)) {
    return { message: 'Строка начинается с табуляции. Отступы делают пробелами, по два на шаг.' };
  }
  if (/^\s*(?:- +)*[\w-]+:[^\s:]|^\s*-[^\s\d-]/.test(text)) {
    return { message: 'После двоеточия и дефиса нужен пробел.' };
  }
  const [, before = '', value = ''] = valueLine.exec(text.trimEnd()) ?? [];
  const ofFact = unquotedFact(text);
  if (ofFact || before.trim() === '') return ofFact;
  const instead = before + quoted(value);
  if (/^[^"'[{>|].*:(?:\s|$)/.test(value)) {
    return { message: 'В значении есть двоеточие с пробелом. Возьмите значение в кавычки.', instead };
  }
  if (!/^[@%`!&*]/.test(value)) return undefined;
  const message = 'У знака, с которого начинается значение, здесь особый смысл. Возьмите значение в кавычки.';
  return { message, instead };
}

/** A brace that begins a value opens a map. */
function unquotedFact(text: string): Slip | undefined {
  const [, before = '', value = ''] = valueLine.exec(text.trimEnd()) ?? [];
  if (!value.startsWith('{{')) return undefined;
  return { message: 'Значение начинается с факта. Возьмите значение в кавычки.', instead: before + quoted(value) };
}

const byCode: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'Это поле стоит дважды. Оставьте одно.',
  BAD_INDENT: 'Отступ не такой, как у соседних строк. Поля одной записи начинаются на одном расстоянии от края.',
  BLOCK_AS_IMPLICIT_KEY: 'Следующая строка сдвинута вправо. Сотрите лишние пробелы в её начале.',
  RESOURCE_EXHAUSTION: 'Скобки или дефисы вложены слишком глубоко. Сотрите лишние.',
  BAD_DQ_ESCAPE: 'В двойных кавычках знак \\ имеет особый смысл. Возьмите значение в одинарные.',
};

const general =
  'Эта строка не похожа на поле. Поле пишут так: «title: Текст», с отступом, как у соседей, двоеточием и пробелом. ' +
  'Если здесь начинается текст, поставьте перед ним строку из трёх дефисов: ---';

export function frontMatterProblem(file: string, text: string): Problem {
  const opened = text.startsWith('---');
  const message = opened
    ? 'После полей нужна вторая строка из трёх дефисов, а под ней начинается текст.'
    : 'Файл начинается с полей между двумя строками из трёх дефисов: ---. Первой такой строки нет. ' +
      'Посмотрите на соседний файл этой папки.';
  return { file, line: 1, field: '', message };
}
