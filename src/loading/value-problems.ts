import type * as z from 'zod';
import { nearestName } from './nearest-name.ts';
import { guillemets, type Problem } from './problem.ts';
import { type JsonSchema, leavesIn, partAt, valueAt } from './schema-parts.ts';
import type { Path, Yaml } from './yaml.ts';

/* zod's own Russian messages are for programmers. */

type Issue = z.core.$ZodIssue;

/** @param issues must have `input`, so parse with `reportInput` */
export function valueProblems(
  file: string,
  { value, lineOf, fieldOf }: Pick<Yaml, 'value' | 'lineOf'> & { fieldOf(path: Path): string },
  schema: JsonSchema,
  issues: readonly Issue[],
): Problem[] {
  const problem = (path: Path, message: string) => ({ file, line: lineOf(path), field: fieldOf(path), message });
  return issues.flatMap((issue) => {
    const part = partAt(schema, issue.path);
    if (issue.code !== 'unrecognized_keys') {
      const field = emptyOptional(schema, value, issue);
      return [problem(issue.path, field ? emptyField(field) : messageFor(issue, part))];
    }
    return issue.keys.map((key) => problem([...issue.path, key], unknownField(key, part)));
  });
}

/** The innermost field around the issue that is empty and may be absent. */
function emptyOptional(schema: JsonSchema, whole: unknown, { code, path }: Issue): Path | undefined {
  // A rule between fields may ask for this one.
  if (code === 'custom' && valueAt(whole, path) === undefined) return undefined;
  const around = path.map((_, index) => path.slice(0, path.length - index));
  const filled = around.findIndex((field) => !isEmpty(valueAt(whole, field)));
  return around.slice(0, filled === -1 ? undefined : filled).find((field) => isOptional(schema, field));
}

function isEmpty(value: unknown): boolean {
  return leavesIn(value).every(({ value: leaf }) => String(leaf ?? '').trim() === '');
}

function isOptional(schema: JsonSchema, field: Path): boolean {
  const { properties = {}, required = [] } = partAt(schema, field.slice(0, -1)) ?? {};
  const name = String(field.at(-1));
  return name in properties && !required.includes(name);
}

function emptyField(field: Path): string {
  return `Поле ${guillemets(String(field.at(-1)))} пусто. Впишите значение или сотрите это поле.`;
}

/** Omits indexes, because the line number identifies the item. */
export function fieldOf(path: Path): string {
  return path.filter((key) => typeof key === 'string' && !/^\d+$/.test(key)).join('.');
}

function unknownField(key: string, parent: JsonSchema | undefined): string {
  // In braces, `price: 57,50` parses as a price and a field named 50.
  if (/^\d+$/.test(key)) return 'Дробную часть отделяют точкой, а не запятой.';
  const known = Object.keys(parent?.properties ?? {});
  const near = nearestName(key, known);
  if (near) return `Такого поля нет. Наверное, это ${near}.`;
  return `Поля ${guillemets(key)} здесь не бывает. Сотрите его или возьмите одно из этих: ${known.join(', ')}.`;
}

function messageFor(issue: Issue, part: JsonSchema | undefined): string {
  const { input: value, message } = issue;
  const hint = part?.description ? `: ${part.description}` : '';
  if (value === undefined && issue.code !== 'custom') return sentence(`Этого поля не хватает. Добавьте его${hint}`);
  if (value === null) return sentence(`Здесь ничего нет. Впишите значение${hint}`);
  const shown = typeof value === 'object' || value === undefined ? '' : `${guillemets(value)} не подходит. `;
  switch (issue.code) {
    case 'invalid_type':
      return shown + (types[issue.expected] ?? `Здесь нужны поля: ${Object.keys(part?.properties ?? {}).join(', ')}.`);
    case 'invalid_value':
      return `${shown}Здесь бывает: ${issue.values.map((one) => guillemets(String(one))).join(', ')}.`;
    case 'invalid_format':
      return shown + (formats[issue.format] ?? sentence(message));
    case 'too_small':
      return wrongSize(
        issue.origin,
        value,
        issue.exact ? 'ровно' : issue.inclusive ? 'не меньше' : 'больше',
        issue.minimum,
      );
    case 'too_big':
      return wrongSize(issue.origin, value, issue.exact ? 'ровно' : 'не больше', issue.maximum);
    case 'custom':
      return shown + sentence(message);
    default:
      return shown + (hint ? sentence(`Здесь нужно${hint}`) : 'Посмотрите, что здесь стоит в соседних записях.');
  }
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

const list = 'Нужен список. Каждое значение стоит на своей строке после дефиса и пробела, или все в [ ] через запятую.';
const types: Readonly<Record<string, string>> = {
  string:
    'Нужен текст. Если в нём двоеточие, скобка или одни цифры, возьмите его в кавычки; факт пишут {{ company.email }}.',
  number: 'Нужно число: одни цифры, дробная часть после точки.',
  int: 'Нужно целое число: одни цифры.',
  boolean: 'Нужно true (да) или false (нет).',
  array: list,
  tuple: list,
};

const formats: Readonly<Record<string, string>> = {
  date: 'Нужна дата, которая есть в календаре: год, месяц, день через дефис, например 2026-11-20.',
  time: 'Нужно время из часов и минут, например "09:30".',
  email: 'Нужен адрес почты, например info@example.ru.',
  url: 'Нужен адрес целиком, например https://example.com/.',
};

function wrongSize(origin: string, value: unknown, bound: string, limit: number | bigint): string {
  if (origin === 'array') return `Значений в списке должно быть ${bound} ${limit}.`;
  if (origin !== 'string') return `Число должно быть ${bound} ${limit}, а здесь ${value}.`;
  const length = String(value).trim().length;
  return length === 0 ? 'Поле пусто. Впишите значение.' : `Знаков должно быть ${bound} ${limit}, а здесь ${length}.`;
}
