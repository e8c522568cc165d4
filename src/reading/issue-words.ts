import * as z from 'zod';
import { type Path, valueAt, type Yaml } from './front-matter.ts';
import { nearestName } from './nearest-name.ts';
import { guillemets, type Problem } from './problem.ts';
import { fieldsOf, partAt } from './schema-walk.ts';
import { quoted } from './yaml-words.ts';

/*
 * Says in an editor's words what zod finds wrong with a value. zod's own Russian speaks to programmers («Неверный ввод:
 * ожидалось строка, получено undefined»), and knows no remedy.
 */

type Words = Pick<Problem, 'message' | 'instead'>;
type Issue = z.core.$ZodIssue;

/** One issue, and what is known of its place. */
type Case = { issue: Issue; path: Path; value: unknown; yaml: Yaml; part: z.core.$ZodType | undefined };

/** What is wrong with the values of a file. */
export function issueProblems(
  file: string,
  yaml: Yaml,
  schema: z.ZodType,
  whole: unknown,
  issues: readonly Issue[],
): Problem[] {
  const unknown = issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? unknownFields(issue) : []));
  // A field with a misspelt name is not reported as missing, too.
  const misspelt = new Set(unknown.map(({ parent, near }) => [...parent, near].join('.')));
  const wrong = issues.flatMap((issue) => {
    const { code, path } = issue;
    const value = valueAt(whole, path);
    if (code === 'unrecognized_keys' || (value === undefined && misspelt.has(path.join('.')))) return [];
    return [{ path, words: wordsFor({ issue, path, value, yaml, part: partAt(schema, path) }) }];
  });
  return [...unknown, ...wrong].map(({ path, words }) => {
    return { file, line: yaml.lineOf(path), field: fieldOf(path), ...words };
  });

  function unknownFields({ keys, path: parent }: z.core.$ZodIssueUnrecognizedKeys) {
    const known = fieldsOf(partAt(schema, parent));
    return keys.map((key) => {
      const near = nearestName(key, known);
      const taken = near !== undefined && valueAt(whole, [...parent, near]) !== undefined;
      const path = [...parent, key];
      return { path, parent, near, words: unknownField({ key, near, taken, known, yaml, path }) };
    });
  }
}

/** The names of the fields on the path, without indexes: the line says which item is meant. */
export function fieldOf(path: Path): string {
  return path.filter((key) => typeof key === 'string' && !/^\d+$/.test(key)).join('.');
}

type Unknown = {
  key: string;
  near: string | undefined;
  taken: boolean;
  known: readonly string[];
  yaml: Yaml;
  path: Path;
};

function unknownField({ key, near, taken, known, yaml, path }: Unknown): Words {
  // `price: 57,50` within braces is a price and a field named 50.
  if (/^\d+$/.test(key)) return { message: 'Дробную часть отделяют точкой, а не запятой.' };
  if (taken) return { message: `Поле ${near} уже есть. Сотрите эту строку.` };
  if (near) return { message: `Такого поля нет. Наверное, это ${near}.`, instead: yaml.withKey(path, near) };
  return {
    message: `Поля ${guillemets(key)} здесь не бывает. Сотрите его или возьмите одно из этих: ${known.join(', ')}.`,
  };
}

function wordsFor(found: Case): Words {
  const { issue, value, path, part, yaml } = found;
  const { description } = part instanceof z.ZodType ? part : {};
  if (value === undefined && issue.code === 'custom') return { message: sentence(issue.message) };
  if (value === undefined || value === null) {
    const [name = ''] = path.slice(-1);
    const hint = description ? `: ${description}` : '';
    const message = value === null ? 'Здесь ничего нет. Впишите значение' : 'Этого поля не хватает. Добавьте его';
    return { message: sentence(message + hint), instead: typeof name === 'string' ? `${name}: …` : undefined };
  }
  const message = messageFor(found);
  const typed = yaml.typed(path);
  const expected = issue.code === 'invalid_type' ? issue.expected : undefined;
  if (typed && expected === 'string') return { message, instead: yaml.withValue(path, quoted(typed)) };
  if (typed && expected === 'array' && typeof value !== 'object')
    return { message, instead: yaml.withValue(path, `[${typed}]`) };
  const meant = meantBy(issue, value).find((one) => one !== value && fits(part, one));
  return { message, instead: meant === undefined ? undefined : yaml.withValue(path, asTyped(meant)) };
}

function messageFor({ issue, value, part }: Case): string {
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue.expected, value, fieldsOf(part));
    case 'invalid_value':
      return `${guillemets(value)} не подходит. Здесь бывает: ${issue.values.map((one) => guillemets(String(one))).join(', ')}.`;
    case 'invalid_format':
      return `${guillemets(value)} не подходит. ${forms[issue.format] ?? sentence(issue.message)}`;
    case 'too_small':
      return wrongSize(value, issue.exact ? 'ровно' : issue.inclusive ? 'не меньше' : 'больше', issue.minimum);
    case 'too_big':
      return wrongSize(value, issue.exact ? 'ровно' : 'не больше', issue.maximum);
    case 'custom':
      return typeof value === 'object'
        ? sentence(issue.message)
        : `${guillemets(value)} не подходит. ${sentence(issue.message)}`;
    default:
      return `Значение ${guillemets(value)} не подходит. Посмотрите, что здесь стоит в соседних записях.`;
  }
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

function wrongType(expected: string, value: unknown, fields: readonly string[]): string {
  switch (expected) {
    case 'string':
      return 'Здесь нужен текст. Если в нём двоеточие, скобка или одни цифры, возьмите его в кавычки.';
    case 'number':
    case 'int':
      return `Нужно ${expected === 'int' ? 'целое ' : ''}число: одни цифры, дробная часть после точки, а здесь ${guillemets(value)}.`;
    case 'boolean':
      return `Нужно true (да) или false (нет), а здесь ${guillemets(value)}.`;
    case 'array':
    case 'tuple':
      return 'Нужен список. Каждое значение стоит на своей строке после дефиса и пробела, или все в [ ] через запятую.';
    default:
      return `Здесь нужны поля${fields.length > 0 ? `: ${fields.join(', ')}` : ''}, а стоит ${guillemets(value)}.`;
  }
}

const forms: Readonly<Record<string, string>> = {
  date: 'Нужна дата, которая есть в календаре: год, месяц, день через дефис, например 2026-11-20.',
  time: 'Нужно время из часов и минут, например "09:30".',
  duration: 'Нужна длительность, например PT3M20S: 3 минуты 20 секунд.',
  email: 'Нужен адрес почты, например info@example.ru.',
  url: 'Нужен адрес целиком, например https://example.com/.',
};

function wrongSize(value: unknown, bound: string, limit: number | bigint): string {
  if (typeof value === 'number') return `Число должно быть ${bound} ${limit}, а здесь ${value}.`;
  if (Array.isArray(value)) return `Значений в списке должно быть ${bound} ${limit}, а здесь ${value.length}.`;
  const letters = String(value).trim().length;
  return letters === 0 ? 'Поле пусто. Впишите значение.' : `Знаков должно быть ${bound} ${limit}, а здесь ${letters}.`;
}

function meantBy(issue: Issue, value: unknown): readonly unknown[] {
  if (typeof value !== 'string' || issue.code.startsWith('too_')) return [];
  return issue.code === 'invalid_value' ? [nearestName(value, issue.values.map(String))] : likely(value);
}

/** What may have been meant by a text: without what does not belong there, in another order, or in full. */
function likely(typed: string): (string | number | boolean)[] {
  const bare = typed.replace(/^[\s“”„"'`«]+|[\s“”"'`»]+$/g, '');
  const name = bare.toLowerCase().replace(/[ _]+/g, '-');
  const digits = bare.replace(/\D/g, '');
  return [
    bare,
    ...(/^-?\d[\d\s]*(?:[.,]\d+)?\D*$/.test(bare)
      ? [Number.parseFloat(bare.replace(/\s/g, '').replace(',', '.'))]
      : []),
    ...(/^(?:да|нет)$/i.test(bare) ? [/^да$/i.test(bare)] : []),
    bare.replace(/^(\d\d)\.(\d\d)\.(\d{4})$/, '$3-$2-$1'),
    name,
    `/${name}`,
    `+${digits.replace(/^8/, '7')}`,
    digits,
    ...(/^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(bare) ? [`https://${bare}`] : []),
  ];
}

function fits(part: z.core.$ZodType | undefined, value: unknown): boolean {
  return part !== undefined && z.safeParse(part, value).success;
}

/** As YAML has it: a text of figures alone would be a number. */
const asTyped = (value: unknown) =>
  typeof value === 'string' && /^[-+]?[\d.:]+$/.test(value) ? quoted(value) : String(value);
