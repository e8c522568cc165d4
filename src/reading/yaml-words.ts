import type { YAMLError } from 'yaml';
import type { Yaml } from './front-matter.ts';
import type { Problem } from './problem.ts';

/*
 * Says in an editor's words why the YAML of a file cannot be read. The parser names a place and a rule of YAML; editors
 * have forgotten a quotation mark, written a colon within a title, or moved a line. So the lines are looked at once more.
 */

export type Words = Pick<Problem, 'message' | 'instead'>;
type Found = Words & { line: number };

/** A mistake like these does not make the lines below it look wrong, too. */
const apart = new Set(['BLOCK_AS_IMPLICIT_KEY', 'BAD_SCALAR_START', 'DUPLICATE_KEY', 'BAD_DQ_ESCAPE', 'BLOCK_IN_FLOW']);
/** More mistakes than anybody reads of one file. */
const most = 50;

export function yamlProblems(file: string, yaml: Yaml): Problem[] {
  const errors = yaml.document.errors.slice(0, most);
  const [first] = errors;
  const broad = first && wholeMistake(yaml.lines, yaml.lineAt(first.pos[0]));
  const telling = first && !apart.has(first.code) ? [first] : errors.filter(({ code }) => apart.has(code));
  const found = broad
    ? [broad]
    : [
        ...telling.map((error) => explain(error, yaml)),
        ...yaml.lost().map((offset) => atStart(yaml.lineAt(offset), yaml.lines)),
      ];
  const lines = new Map(found.toReversed().map((one) => [one.line, one]));
  return [...lines.values()].map((one) => {
    const [, , field = ''] = fieldLine.exec(yaml.lines[one.line - 1] ?? '') ?? [];
    return { file, field, ...one };
  });
}

const fieldLine = /^(\s*(?:- +)*)([\p{L}\w-]+)(:[ \t]+)(.*)$/u;
const indentOf = (text = '') => /^ */.exec(text)?.[0].length ?? 0;

/** A text in quotation marks that keep it whole, whatever is in it. */
export function quoted(text: string): string {
  return /["\\]/.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`;
}

/** Mistakes that the parser notices lines below them, if at all. */
function wholeMistake(lines: readonly string[], noticed: number): Found | undefined {
  /** Indentation of a field whose text stands below it: signs have no meaning there. */
  let folded = Number.POSITIVE_INFINITY;
  for (const [index, text] of lines.slice(0, noticed + 1).entries()) {
    if (text.trim() === '' || indentOf(text) > folded) continue;
    folded = /[:-] +[>|][-+\d]*$/.test(text) ? indentOf(text) : Number.POSITIVE_INFINITY;
    const line = index + 1;
    if (/^(<{7} |={7}$|>{7} )/.test(text)) {
      const message =
        'Здесь остались две версии одного места. Оставьте одну и сотрите строки со знаками <<<, === и >>>.';
      return { line, message };
    }
    if (/^\s*[\u00A0\u2000-\u200B\u3000]/.test(text)) {
      const instead = text.replace(/^\s+/, (blanks) => ' '.repeat(blanks.length));
      return { line, message: 'В начале строки стоят неразрывные пробелы. Замените их обычными.', instead };
    }
    const quote = unclosed(text, lines[index + 1]);
    if (quote) return { line, ...quote };
  }
  return undefined;
}

/** A quotation mark that opens a value and is not closed at its end. */
function unclosed(text: string, next = ''): Words | undefined {
  const match = /^(\s*(?:- +|(?:- +)*[\p{L}\w-]+:[ \t]+))(["'])(.*)$/u.exec(text);
  if (match === null) return undefined;
  const [, before = '', mark = '', rest = ''] = match;
  const end = mark === '"' ? /^(?:[^"\\]|\\.)*"/.exec(rest) : /^(?:[^']|'')*'/.exec(rest);
  if (end === null) {
    // A text in quotation marks may go on below.
    if (next !== '' && next !== '---' && !fieldLine.test(next) && !/^\s*(?:- |[\w-]+:$)/.test(next)) return undefined;
    const message = 'Кавычка открыта и не закрыта. Поставьте такую же в конце значения.';
    return { message, instead: `${before}${mark}${rest.trimEnd()}${mark}` };
  }
  if (/^\s*(?:$|[#:,\]}])/.test(rest.slice(end[0].length))) return undefined;
  const value = rest.endsWith(mark) ? rest.slice(0, -1) : `${mark}${rest}`;
  const message =
    'Значение кончается на второй кавычке, а за ней ещё слова. Замените внутренние кавычки ёлочками «» или внешние другими.';
  return { message, instead: before + quoted(value) };
}

function explain(error: YAMLError, yaml: Yaml): Found {
  const line = yaml.lineAt(error.pos[0]);
  const text = yaml.lines[line - 1] ?? '';
  const seen = bySight(text);
  if (seen) return { line, ...seen };
  const { code } = error;
  const deeper = code.endsWith('IMPLICIT_KEY') ? below(line, text, yaml.lines) : undefined;
  return deeper ?? byCode(error, line, text, yaml.lines);
}

const inQuotes = (text: string) => quoted(text.trimEnd());

/** What can be seen of a line by itself: its field, with all before the value, and the value. */
const sights: readonly { value: RegExp; message: string; instead(start: string, value: string): string }[] = [
  {
    value: /^[^"'[{>|].*:(?:\s|$)/,
    message: 'В значении есть двоеточие с пробелом. Возьмите значение в кавычки.',
    instead: (start, value) => start + inQuotes(value),
  },
  {
    value: /^[@%`!&*]/,
    message: 'У знака, с которого начинается значение, здесь особый смысл. Возьмите значение в кавычки.',
    instead: (start, value) => start + inQuotes(value),
  },
  {
    value: /^[>|][-+]?\d?\s*[^\s\d#+-]/,
    message: 'После знака > или | текст начинается со следующей строки, с отступом.',
    instead: (start, value) => `${start}>-\n${underName(start)}${value.replace(/^[>|][-+\d]*\s*/, '')}`,
  },
  {
    value: /^- /,
    message: 'Список начинается под полем, каждое значение на своей строке.',
    instead: (start, value) => `${start.trimEnd()}\n${underName(start)}${value}`,
  },
];

/** The indentation of what belongs to a field. */
const underName = (start: string) => ' '.repeat((/^\s*(?:- +)*/.exec(start)?.[0].length ?? 0) + 2);

function bySight(text: string): Words | undefined {
  if (/^ *\t/.test(text)) {
    const instead = text.replace(/^[ \t]+/, (blanks) => blanks.replaceAll('\t', '  '));
    return { message: 'Строка начинается с табуляции. Отступы делают пробелами, по два на шаг.', instead };
  }
  const pressed = /^\s*(?:- +)*[\w-]+:(?=[^\s:])|^\s*-(?=[^\s\d-])/.exec(text)?.[0];
  if (pressed !== undefined) {
    const sign = pressed.endsWith(':') ? 'двоеточия' : 'дефиса';
    return { message: `После ${sign} нужен пробел.`, instead: `${pressed} ${text.slice(pressed.length)}` };
  }
  const [, before = '', name = '', colon = '', value = ''] = fieldLine.exec(text) ?? [];
  const sight = sights.find((one) => one.value.test(value));
  return sight && { message: sight.message, instead: sight.instead(before + name + colon, value) };
}

/** A value that begins with a sign which the parser follows elsewhere. */
function atStart(line: number, lines: readonly string[]): Found {
  const seen = bySight(lines[line - 1] ?? '');
  return { line, message: 'У знака * в начале значения здесь особый смысл. Возьмите значение в кавычки.', ...seen };
}

/** A value goes on in the lines below, and one of these looks like a field. */
function below(line: number, text: string, lines: readonly string[]): Found | undefined {
  for (let at = line; at < lines.length && indentOf(lines[at]) > indentOf(text); at += 1) {
    const next = lines[at] ?? '';
    if (!/:(?:\s|$)/.test(next)) continue;
    if (/^ *(?:- +)?[\w-]+:(?:\s|$)/.test(next)) {
      const message = 'Строка сдвинута вправо: лишние пробелы в начале.';
      return { line: at + 1, message, instead: ' '.repeat(indentOf(text)) + next.trimStart() };
    }
    const message =
      'В тексте есть двоеточие с пробелом. Поставьте после названия поля знаки >- и начните текст со следующей строки.';
    const [, before = '', name = '', , value = ''] = fieldLine.exec(text) ?? [];
    return { line, message, instead: `${before}${name}: >-\n${' '.repeat(indentOf(next))}${value}` };
  }
  return undefined;
}

const howFields = 'Поле пишут так: «title: Текст», с двоеточием и пробелом.';

function byCode({ code, message: rule }: YAMLError, line: number, text: string, lines: readonly string[]): Found {
  if (code === 'DUPLICATE_KEY') return duplicate(line, text, lines);
  if (code === 'BAD_DQ_ESCAPE') {
    const instead = text.replace(/"(.*)"/, (_, value: string) => `'${value.replaceAll("'", "''")}'`);
    return { line, message: 'В двойных кавычках знак \\ имеет особый смысл. Возьмите значение в одинарные.', instead };
  }
  if (code === 'BLOCK_IN_FLOW') {
    const message = 'Внутри скобок { } не хватает запятой между полями, или текст с двоеточием надо взять в кавычки.';
    return { line, message };
  }
  if (code === 'MULTIPLE_DOCS') return { line, message: 'Лишняя строка из дефисов или точек. Сотрите её.' };
  if (/flow (?:map|sequence)/i.test(rule)) return openBracket(line, lines);
  if (code === 'BAD_INDENT' || /without - indicator|at node end/.test(rule)) return badIndent(line, text, lines);
  const message = `Эта строка не похожа на поле. ${howFields} Если поля кончились и здесь начинается текст, поставьте перед ней строку из трёх дефисов: ---`;
  return { line, message };
}

function duplicate(line: number, text: string, lines: readonly string[]): Found {
  const [, before = '', name = ''] = /^(\s*(?:- +)?)(["'\p{L}\w-]+):/u.exec(text) ?? [];
  const same = (other: string) =>
    other.length >= before.length &&
    other.slice(before.length).startsWith(`${name}:`) &&
    !/[^\s-]/.test(other.slice(0, before.length));
  const first = name === '' ? -1 : lines.slice(0, line - 1).findLastIndex(same);
  const where = first === -1 ? '' : `, первый раз на строке ${first + 1}`;
  return { line, message: `Это поле стоит дважды${where}. Оставьте одно.` };
}

function openBracket(noticed: number, lines: readonly string[]): Found {
  for (let index = noticed - 1; index >= Math.max(0, noticed - 200); index -= 1) {
    const text = (lines[index] ?? '').replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '');
    for (const [open, close] of ['[]', '{}']) {
      if (open === undefined || close === undefined || text.split(open).length <= text.split(close).length) continue;
      return {
        line: index + 1,
        message: `Скобка ${open} открыта и не закрыта.`,
        instead: `${(lines[index] ?? '').trimEnd()}${close}`,
      };
    }
  }
  return { line: noticed, message: 'Скобки [ ] или { } не сходятся: какая-то открыта и не закрыта.' };
}

function badIndent(line: number, text: string, lines: readonly string[]): Found {
  const above = lines.slice(0, line - 1).findLast((one) => fieldLine.test(one) || /^\s*[\w-]+:$/.test(one)) ?? '';
  const dash = /^\s*-/.test(above) && indentOf(text) === indentOf(above);
  if (dash) return { line, message: 'В начале строки не хватает дефиса или отступа.' };
  // Where the name of the field above begins, after its dash.
  const column = /^\s*(?:- +)*/.exec(above)?.[0].length ?? 0;
  const fits = /^\s*[\w-]+:/.test(text) && column !== indentOf(text);
  const message = 'Отступ не такой, как у соседних строк. Поля одной записи начинаются на одном расстоянии от края.';
  return { line, message, ...(fits && { instead: ' '.repeat(column) + text.trimStart() }) };
}

/** The front matter is missing, or where it should end. */
export function withoutFrontMatter(file: string, text: string): Problem {
  const lines = text.split('\n');
  const say = (line: number, message: string, instead?: string): Problem => ({
    ...{ file, line, field: '', message },
    ...(instead !== undefined && { instead }),
  });
  if (text.trim() === '')
    return say(1, 'Файл пуст. Скопируйте в него поля соседнего файла этой папки и впишите свои значения.');
  if (!/^---[ \t]*$/.test(lines[0] ?? '')) {
    if (/^\s+---/.test(text)) return say(1, 'Перед первой строкой --- стоят пустые строки или пробелы. Сотрите их.');
    if (/^[-–—−]{1,5}\s*$/.test(lines[0] ?? '')) return say(1, 'Первая строка файла это ровно три дефиса.', '---');
    const message = 'Файл начинается с полей между двумя строками из трёх дефисов: ---. Первой такой строки нет.';
    return say(1, message, fieldLine.test(lines[0] ?? '') ? `---\n${lines[0]}` : undefined);
  }
  const blank = lines.findIndex((one, index) => index > 0 && one.trim() === '');
  const line = blank === -1 ? lines.length : blank + 1;
  return say(line, 'После полей нужна вторая строка из трёх дефисов, а под ней начинается текст.', '---');
}
