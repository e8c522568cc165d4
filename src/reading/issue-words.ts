import * as z from 'zod';
import { type Path, valueAt, type Yaml } from './front-matter.ts';
import { nearestName } from './nearest-name.ts';
import { counted, type Problem, said } from './problem.ts';
import { quoted, type Words } from './yaml-words.ts';

/*
 * Says in an editor's words what zod finds wrong with a value. zod's own Russian speaks to programmers («Неверный ввод:
 * ожидалось строка, получено undefined»), and knows no remedy.
 */

/** One issue, and what is known of its place. */
type Case = {
  issue: z.core.$ZodIssue;
  path: Path;
  /** The name of the field. */
  name: string;
  value: unknown;
  /** What the file says. */
  whole: unknown;
  yaml: Yaml;
  schema: z.ZodType;
};

/** What is wrong with the values of a file. */
export function issueProblems(
  file: string,
  yaml: Yaml,
  schema: z.ZodType,
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
): Problem[] {
  // A field with a misspelt name is not reported as missing, too.
  const misspelt = new Set(
    issues.flatMap((issue) => {
      if (issue.code !== 'unrecognized_keys') return [];
      return issue.keys
        .map((key) => [...issue.path, meantKey(schema, issue.path, key) ?? ''])
        .flatMap((path) => (valueAt(value, path) === undefined ? [path.join('.')] : []));
    }),
  );
  const telling = issues.filter(({ code, path }) => code === 'unrecognized_keys' || !misspelt.has(path.join('.')));
  return telling.flatMap((issue) => {
    const paths = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    return paths.map((path): Problem => {
      const found = {
        issue,
        path,
        name: fieldOf(path.slice(-2)),
        value: valueAt(value, path),
        whole: value,
        yaml,
        schema,
      };
      return { file, line: yaml.lineOf(path), field: fieldOf(path), ...wordsFor(found) };
    });
  });
}

/** The names of the fields on the path, without indexes: the line says which item is meant. */
export function fieldOf(path: Path): string {
  return path.filter((key) => typeof key === 'string' && !/^\d+$/.test(key)).join('.');
}

function wordsFor(found: Case): Words {
  const { issue, value, path } = found;
  if (issue.code === 'unrecognized_keys') return unknownField(found);
  if (value === undefined) return missing(found);
  if (value === null) return empty(found);
  const words = sayings[issue.code]?.(found) ?? { message: `Значение ${said(value)} не подходит.` };
  const stripped = typeof value === 'string' ? /^[“”„"'`«](.*)[“”"'`»]$/.exec(value)?.[1] : undefined;
  if (stripped === undefined || !fits(found, stripped)) return words;
  const typed = asTyped(stripped);
  const message = typed === stripped ? 'Кавычки здесь лишние.' : 'Кавычки здесь нужны прямые.';
  return { message, instead: found.yaml.withValue(path, typed) };
}

/** By the code of an issue; missing and empty values are handled before. */
const sayings: Readonly<Record<string, (found: Case) => Words>> = {
  invalid_type: wrongType,
  invalid_value({ issue, value, yaml, path }) {
    const known = 'values' in issue ? issue.values.map(String) : [];
    const near = nearestName(String(value), known);
    const message = `${said(value)} не подходит. Здесь бывает: ${known.map(said).join(', ')}.`;
    return { message, instead: near && yaml.withValue(path, near) };
  },
  invalid_format: wrongForm,
  too_small: wrongSize,
  too_big: wrongSize,
  custom: ({ issue, value }) => ({
    message:
      typeof value === 'object' ? sentence(issue.message) : `${said(value)} не подходит. ${sentence(issue.message)}`,
  }),
  invalid_union: ({ value }) => ({ message: `Нужен текст или число, а здесь ${kindOf(value)}.` }),
};

/** A text as YAML has it: one of figures alone would be a number. */
const asTyped = (text: string) => (/^[-+]?[\d.:]+$/.test(text) ? quoted(text) : text);

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

function unknownField({ path, value, whole, yaml, schema }: Case): Words {
  const parent = path.slice(0, -1);
  const known = Object.keys(shapeAt(schema, parent) ?? {});
  // `price: 57,50` within braces is a price and a field named 50.
  const last = String(path.at(-1));
  const number = /^\d+$/.test(last) && value === null ? decimalBefore(yaml, parent, last) : undefined;
  if (number) return number;
  const near = meantKey(schema, parent, last);
  if (near !== undefined && valueAt(whole, [...parent, near]) !== undefined) {
    return { message: `Поле ${near} уже есть. Сотрите эту строку.` };
  }
  if (near !== undefined && last.startsWith(`${near}:`)) {
    return { message: 'После двоеточия нужен пробел.', instead: yaml.withKey(path, last.replace(':', ': ')) };
  }
  const alike = /[а-яё]/i.test(last) && /[a-z]/i.test(last);
  const message = near
    ? `Такого поля нет. Наверное, это ${near}${alike ? ', но набрано с русскими буквами, похожими на латинские' : ''}.`
    : `Поля ${said(last)} здесь не бывает. Сотрите его${known.length > 0 ? ` или возьмите одно из этих: ${known.join(', ')}` : ''}.`;
  return { message, instead: near && yaml.withKey(path, near) };
}

/** The field whose name was misspelt. */
function meantKey(schema: z.ZodType, parent: Path, key: string): string | undefined {
  return nearestName(key.replace(/:.*/, ''), Object.keys(shapeAt(schema, parent) ?? {}));
}

function decimalBefore(yaml: Yaml, parent: Path, digits: string): Words | undefined {
  const typed = yaml.typed(parent);
  const number = typed && new RegExp(`(\\d+),\\s*${digits}(?!\\d)`).exec(typed);
  if (!typed || !number) return undefined;
  return {
    message: commaForPoint,
    instead: yaml.withValue(parent, typed.replace(number[0], `${number[1]}.${digits}`)),
  };
}

const commaForPoint = 'Дробную часть отделяют точкой, а не запятой.';

/** What a missing field looks like, where that says more than its name. */
const examples: Readonly<Record<string, string>> = {
  id: '125',
  published: '2026-11-20',
  updated: '2026-11-20',
  checked: '2026-11-20',
  effective: '2026-11-20',
  since: '2026-11-20',
  category: 'fulfillment',
  marketplaces: '[Wildberries, Ozon]',
  services: '[/services/fulfillment]',
  service: '/services/fulfillment',
  preset: 'service',
  to: '/services/fulfillment',
  image: '/images/services/photo.svg',
  departure: '"14:00"',
};

function exampleOf({ name, issue, path, schema }: Case): string {
  const expected = 'expected' in issue ? issue.expected : '';
  if (name === 'related') {
    const article = 'sources' in (shapeAt(schema, path.slice(0, -1)) ?? {});
    return article ? 'related: [fbo-ili-fbs]' : 'related: [/services/fulfillment]';
  }
  const kinds: Readonly<Record<string, string>> = { number: '1', int: '1', boolean: 'true', array: '\n  - …' };
  const example = examples[name] ?? kinds[expected] ?? '…';
  return `${name}:${example.startsWith('\n') ? '' : ' '}${example}`;
}

function missing(found: Case): Words {
  const { path, issue } = found;
  if (typeof path.at(-1) === 'number') return { message: 'Здесь не хватает значения.' };
  if (issue.code === 'custom') return { message: sentence(issue.message) };
  return { message: 'Этого поля не хватает. Добавьте его.', instead: exampleOf(found) };
}

function empty(found: Case): Words {
  const { path, yaml } = found;
  if (path.length === 0)
    return { message: 'Здесь нет ни одного поля. Возьмите их из соседнего файла или из прежней версии этого.' };
  const typed = yaml.lines[yaml.lineOf(path) - 1]?.replace(/^[^:]*:\s*/, '') ?? '';
  if (/^[&!]/.test(typed)) {
    return { message: 'У знака, с которого начинается значение, здесь особый смысл. Возьмите значение в кавычки.' };
  }
  if (typeof path.at(-1) === 'number')
    return { message: 'После дефиса ничего нет. Впишите значение или сотрите строку.' };
  return { message: 'После двоеточия ничего нет. Впишите значение.', instead: exampleOf(found) };
}

function wrongType(found: Case): Words {
  const { issue, value, yaml, path, schema } = found;
  const expected = 'expected' in issue ? String(issue.expected) : '';
  if (expected === 'string') return noText(found);
  if (expected === 'number' || expected === 'int') return noNumber(found, expected);
  if (expected === 'boolean') return noBoolean(found);
  if (expected === 'array') {
    const single = typeof value === 'object' ? undefined : yaml.typed(path);
    if (typeof value === 'string' && value.startsWith('-')) return { message: 'После дефиса нужен пробел.' };
    const message = `Нужен список, а здесь ${kindOf(value)}. Каждое значение стоит на своей строке после дефиса, или все в квадратных скобках через запятую.`;
    return { message, instead: single && yaml.withValue(path, `[${single}]`) };
  }
  if (expected === 'tuple') return { message: 'Нужны несколько значений в квадратных скобках, через запятую.' };
  const fields = Object.keys(shapeAt(schema, path) ?? {});
  const which = fields.length > 0 ? `: ${fields.join(', ')}` : '';
  return { message: `Здесь нужны поля${which}. А стоит ${kindOf(value)}.` };
}

function noBoolean({ value, yaml, path }: Case): Words {
  const yes = /^(?:да|yes|y|on|1|истина|true)$/i.test(String(value));
  const no = /^(?:нет|no|n|off|0|ложь|false)$/i.test(String(value));
  const message = `Нужно true (да) или false (нет), а здесь ${said(value)}.`;
  return { message, instead: yes || no ? yaml.withValue(path, String(yes)) : undefined };
}

function noText({ value, yaml, path }: Case): Words {
  const typed = yaml.typed(path);
  if (typeof value !== 'object') {
    return {
      message: 'Здесь нужен текст. Возьмите значение в кавычки.',
      instead: typed && yaml.withValue(path, quoted(typed)),
    };
  }
  if (value !== null && !Array.isArray(value) && typed && !typed.startsWith('{')) {
    const message = 'В значении есть двоеточие с пробелом. Возьмите значение в кавычки.';
    return { message, instead: yaml.withValue(path, quoted(typed)) };
  }
  const bracket = typed && /^[[{]/.test(typed);
  const message = bracket
    ? 'Значение начинается со скобки, у которой здесь особый смысл. Возьмите значение в кавычки.'
    : `Нужен текст, а здесь ${kindOf(value)}.`;
  return { message, instead: bracket ? yaml.withValue(path, quoted(typed)) : undefined };
}

function noNumber({ value, yaml, path }: Case, expected: string): Words {
  const typed = String(value);
  const number = /^[\s\u00A0]*(-?\d[\d\s\u00A0]*(?:[.,]\d+)?)[\s\u00A0]*(?:\p{L}{1,4}\.?|[₽%])?[\s\u00A0]*$/u.exec(
    typed,
  )?.[1];
  const plain = number?.replace(/[\s\u00A0]/g, '').replace(',', '.');
  const whole = expected === 'int' ? 'целое число' : 'число';
  if (typeof value === 'number') return { message: `Нужно целое число, а здесь ${said(typed)}.` };
  if (plain === undefined || typeof value !== 'string')
    return { message: `Нужно ${whole}, например 120, а здесь ${said(value)}.` };
  const comma = /^-?\d+,\d+$/.test(typed.trim());
  const message = comma ? commaForPoint : `Нужно ${whole}: одни цифры, без пробелов, кавычек и слов.`;
  return { message, instead: yaml.withValue(path, plain) };
}

function wrongForm(found: Case): Words {
  const { issue, value, yaml, path } = found;
  const typed = String(value);
  const format = 'format' in issue ? String(issue.format) : '';
  if (format === 'date') return noDate(typed, (date) => yaml.withValue(path, date));
  const form = forms[format];
  const says =
    form?.says ?? ('prefix' in issue ? `Нужен путь, который начинается с ${issue.prefix}.` : sentence(issue.message));
  const message = `${said(typed)} не подходит. ${says}`;
  const meant = (form?.likely ?? likely)(typed).find((one) => one !== typed && fits(found, one));
  return {
    message,
    instead: meant && yaml.withValue(path, asTyped(meant)),
  };
}

type Form = { says: string; likely?(typed: string): string[] };

const forms: Readonly<Record<string, Form>> = {
  time: {
    says: 'Нужно время из часов и минут, например "09:30".',
    likely(typed) {
      const [, hours = '', minutes = '00'] = /^(\d{1,2})(?:[.:\s-](\d{2}))?$/.exec(typed.trim()) ?? [];
      return [`${hours.padStart(2, '0')}:${minutes}`];
    },
  },
  duration: { says: 'Нужна длительность, например PT3M20S: 3 минуты 20 секунд.' },
  email: { says: 'Нужен адрес почты, например info@example.ru.' },
  url: {
    says: 'Нужен адрес целиком, например https://example.com/.',
    likely: (typed) => (/^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(typed) ? [`https://${typed}`] : []),
  },
};

/** What was meant by a name, a path or a number in another form. */
function likely(typed: string): string[] {
  const name = typed.trim().toLowerCase().replace(/[ _]+/g, '-');
  return [
    typed.trim(),
    typed.replace(/[^\d+]/g, ''),
    typed.replace(/\D/g, '').replace(/^[78](?=\d{10}$)/, '+7'),
    name,
    `/${name}`,
    name.replace(/\/$/, ''),
    typed.replace(/\D/g, ''),
  ];
}

/** Whether the schema at this place accepts the value. */
function fits({ schema, path }: Case, value: string): boolean {
  const part = partAt(schema, path);
  return part?.safeParse(value).success ?? false;
}

const months = [
  'январ',
  'феврал',
  'март',
  'апрел',
  'ма',
  'июн',
  'июл',
  'август',
  'сентябр',
  'октябр',
  'ноябр',
  'декабр',
];

function noDate(typed: string, withDate: (date: string) => string | undefined): Words {
  const [year, month, day] = dateParts(typed);
  const form = 'Нужна дата: год, месяц, день через дефис, например 2026-11-20.';
  if (year === undefined || month === undefined || day === undefined)
    return { message: `${said(typed)} не подходит. ${form}` };
  if (month < 1 || month > 12) return { message: `Месяца ${month} не бывает. ${form}` };
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (day < 1 || day > days) {
    const length = counted(days, ['день', 'дня', 'дней']);
    return { message: `Такого дня нет: в этом месяце ${length}. Поправьте дату ${said(typed)}.` };
  }
  const two = (part: number) => String(part).padStart(2, '0');
  return { message: form, instead: withDate(`${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`) };
}

/** Year, month and day of a date that people write. */
function dateParts(typed: string): number[] {
  const iso = /^\s*(\d{4})[-./](\d{1,2})[-./](\d{1,2})(?:[T ].*)?$/.exec(typed);
  if (iso) return iso.slice(1).map(Number);
  const local = /^\s*(\d{1,2})[-./](\d{1,2})[-./](\d{4})\s*(?:г\.?)?$/.exec(typed);
  if (local) return local.slice(1).map(Number).reverse();
  const words = /^\s*(\d{1,2})\s+([а-я]+)\s+(\d{4})/i.exec(typed);
  const month =
    months.findIndex((stem, index) => new RegExp(`^${stem}${index === 4 ? '[йя]' : ''}`, 'i').test(words?.[2] ?? '')) +
    1;
  return words && month > 0 ? [Number(words[3]), month, Number(words[1])] : [];
}

function wrongSize(found: Case): Words {
  const { issue, value, name } = found;
  const small = issue.code === 'too_small';
  const limit = Number('minimum' in issue ? issue.minimum : 'maximum' in issue ? issue.maximum : 0);
  if (typeof value === 'number') return wrongNumber(value, limit, small);
  if (Array.isArray(value)) return wrongLength(issue, value.length, limit, small);
  const letters = String(value).trim().length;
  if (letters === 0) return { message: 'Поле пусто. Впишите значение.', instead: `${name}: …` };
  const signs = counted(limit, ['знака', 'знаков', 'знаков']);
  const message = small
    ? `Слишком коротко: нужно не меньше ${signs}, а здесь ${letters}.`
    : `Слишком длинно: можно не больше ${signs}, а здесь ${letters}. Сократите на ${letters - limit}.`;
  return { message };
}

function wrongNumber(value: number, limit: number, small: boolean): Words {
  const bound = small ? (value === limit ? `больше ${limit}` : `не меньше ${limit}`) : `не больше ${limit}`;
  return { message: `Число должно быть ${bound}, а здесь ${value}.` };
}

function wrongLength(issue: z.core.$ZodIssue, count: number, limit: number, small: boolean): Words {
  const values = counted(limit, ['значение', 'значения', 'значений']);
  if (count === 0 && small) return { message: `Список пуст. Впишите хотя бы ${values}.` };
  const exact = 'exact' in issue && issue.exact;
  const bound = exact ? 'ровно' : small ? 'не меньше, чем' : 'не больше, чем';
  return { message: `В списке нужно ${bound} ${values}, а здесь ${count}.` };
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'список';
  if (typeof value === 'object') return 'запись из полей';
  return typeof value === 'string' ? `текст ${said(value)}` : said(String(value));
}

/** The schema of the value at `path`. */
function partAt(schema: z.core.$ZodType | undefined, path: Path): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return partAt(schema.unwrap(), path);
  }
  if (path.length === 0) return schema as z.ZodType | undefined;
  if (schema instanceof z.ZodPipe) return partAt(schema.in instanceof z.ZodTransform ? schema.out : schema.in, path);
  const [key, ...rest] = path;
  if (schema instanceof z.ZodObject) return partAt(schema.shape[String(key)], rest);
  if (schema instanceof z.ZodArray) return partAt(schema.element, rest);
  if (schema instanceof z.ZodRecord) return partAt(schema.valueType, rest);
  if (schema instanceof z.ZodTuple) return partAt(schema.def.items[Number(key)], rest);
  return undefined;
}

/** What the object at `path` may hold. */
function shapeAt(schema: z.ZodType, path: Path): Readonly<Record<string, unknown>> | undefined {
  const part = partAt(schema, path);
  if (part instanceof z.ZodObject) return part.shape;
  return undefined;
}
