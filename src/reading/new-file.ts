import { stringify } from 'yaml';
import { localTime } from '../lib/calendar.ts';
import { slugOf } from '../lib/slug.ts';
import type { Content } from '../model/content.ts';
import { fieldNameOf, fillerAddress, fillerBodies, fillerDescription, fillerText } from './fillers.ts';
import { itemOf, type JsonSchema, jsonSchemaOf } from './json-schema.ts';
import { kinds } from './kinds.ts';
import { namesIn } from './names.ts';

/** Kinds of which editors write new files again and again. */
export const newKinds = ['article', 'news', 'case', 'service', 'review', 'page'] as const;
export type NewKind = (typeof newKinds)[number];

/** Columns of a comment; a name that does not fit is not broken. */
const width = 100;
/** A comment lists this many of the names that a field may have. */
const namedAtMost = 12;

type Values = Readonly<Record<string, unknown>>;
/** What the content has already, for the new file to refer to. */
type Known = {
  today: string;
  /** Files of `public/` that may be shown. */
  images: readonly string[];
  /** By the kind that a reference names. */
  names: ReturnType<typeof namesIn>;
};

type Options = {
  kind: NewKind;
  /** What the page is headed. */
  heading: string;
  /** Of the blog, for an article. */
  category: string;
  /** With posts that are not out yet, whose numbers are taken. */
  content: Content;
  /** Files of `public/`, as editors name them. */
  assets: readonly string[];
  at: Date;
};

/**
 * A file with which an editor begins: each field explained, and each filled with something that `check` accepts. It is a
 * draft.
 *
 * @returns its path within the content, and what to write there
 */
export function newFile({ kind, heading, category, content, assets, at }: Options): { path: string; text: string } {
  const { files } = kinds[kind];
  const schema = jsonSchemaOf(kinds[kind]);
  const plain = slugOf(heading);
  // A number as an address stands for an id.
  const slug = /^\d*$/.test(plain) ? [kind, plain].join('-') : plain;
  const inCategory = files.replace('/*/', `/${category}/`);
  const known: Known = {
    today: localTime(at, content.company.workingHours.timeZone).date,
    images: assets.filter((path) => path.startsWith('/images/services/')),
    names: namesIn(content),
  };
  const values: Values = {
    ...wordsOf(heading, kinds[kind].title, content.company.name),
    id: next(numbersOf[kind](content)),
    order: next(content.services.map(({ order }) => order)),
    to: `/services/${slug}`,
    draft: true,
    ...(kind === 'article' && { author: content.articles[0]?.author }),
  };
  const required = [...(schema.required ?? []), 'draft', ...(category === 'video-news' ? ['video'] : [])];
  const front = fieldsOf({ ...schema, required }, known, values);
  return {
    path: inCategory.replace('*', slug),
    text: ['---', ...front, '---', '', fillerBodies[kind], ''].join('\n'),
  };
}

const numbersOf: Readonly<Record<NewKind, (content: Content) => readonly number[]>> = {
  article: ({ articles }) => articles.map(({ id }) => id),
  news: ({ news }) => news.map(({ id }) => id),
  case: ({ cases }) => cases.map(({ id }) => id),
  service: () => [],
  review: ({ reviews }) => reviews.map(({ id }) => id),
  page: () => [],
};

function next(taken: readonly number[]): number {
  return Math.max(0, ...taken) + 1;
}

/** Titles and descriptions, made of the heading; descriptions have a least length. */
function wordsOf(heading: string, section: string, company: string): Values {
  const long = `${heading}: ${section.toLowerCase()}, ${company}`;
  return {
    heading,
    text: heading,
    title: (heading.length < 10 ? long : heading).slice(0, 90).trim(),
    description: `${heading.slice(0, 120)}. ${fillerDescription}`,
  };
}

/** The fields of an object, a comment above each; those that are not required are commented out. */
function fieldsOf({ properties = {}, required = [] }: JsonSchema, known: Known, values: Values = {}): string[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const needed = required.includes(key) || schema.default !== undefined;
    const lines = [...commentOf(schema, known, needed), ...written(key, schema, known, values[key])];
    return needed ? lines : lines.map((line) => (line.startsWith('#') ? line : `# ${line}`));
  });
}

/** A field with its value, and with comments for what is within. */
function written(key: string, schema: JsonSchema, known: Known, value: unknown): string[] {
  const item = itemOf(schema);
  if (value === undefined && schema.properties) return [`${key}:`, ...indented(fieldsOf(schema, known))];
  if (value === undefined && item?.properties) {
    const bare = Array.from({ length: Math.max(1, schema.minItems ?? 0) - 1 }, () =>
      stringify([sampleOf(item, known)])
        .trimEnd()
        .split('\n'),
    );
    return [`${key}:`, ...indented([...asItem(fieldsOf(item, known)), ...bare.flat()])];
  }
  return stringify({ [key]: value ?? sampleOf(schema, known) }, { lineWidth: width })
    .trimEnd()
    .split('\n');
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

/** The fields of an object as an item of a list; the comment of the first one stands above it. */
function asItem(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => !line.startsWith('#'));
  return lines.map((line, index) => (index < first ? line : index === first ? `- ${line}` : `  ${line}`));
}

/** Something that the schema accepts. */
function sampleOf(schema: JsonSchema, known: Known): unknown {
  const { type, properties = {}, required = [], minItems = 0, minLength = 0 } = schema;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const [choice] = choicesOf(schema, known);
  if (choice !== undefined) return choice;
  if (type === 'object') {
    const fields = Object.entries(properties).filter(([key]) => required.includes(key));
    return Object.fromEntries(fields.map(([key, field]) => [key, sampleOf(field, known)]));
  }
  if (type === 'array') {
    const item = itemOf(schema);
    const needed = Math.max(minItems, item && choicesOf(item, known).length > 0 ? 1 : 0);
    return Array.from(
      { length: needed },
      () => item && sampleOf({ description: fieldNameOf(schema.description), ...item }, known),
    );
  }
  if (type === 'boolean') return false;
  if (type !== 'string') return schema.minimum ?? 1;
  const formats: Record<string, string> = { date: known.today, uri: fillerAddress, duration: 'PT1M' };
  return formats[schema.format ?? ''] ?? fillerText(schema.description, minLength);
}

/** What of the content may stand in a field. */
function choicesOf({ 'x-mark': mark }: JsonSchema, { names, images }: Known): readonly string[] {
  if (mark === undefined) return [];
  if ('refersTo' in mark) return names[mark.refersTo];
  return 'shows' in mark && mark.shows === 'asset' ? images : [];
}

/** The comment above a field: what it is for, and what may stand in it. */
function commentOf(schema: JsonSchema, known: Known, needed: boolean): string[] {
  const { minLength = 0, maxLength } = schema;
  const item = itemOf(schema);
  const options = schema.enum ?? item?.enum;
  const [, ...others] = [...choicesOf(schema, known), ...(item ? choicesOf(item, known) : [])];
  const said = [
    needed ? '' : 'Необязательно',
    schema.description ?? '',
    maxLength ? `От ${minLength} до ${maxLength} знаков` : '',
    options ? `Бывает: ${options.join(', ')}` : '',
    others.length > 0 ? `Есть ещё: ${others.slice(0, namedAtMost).join(', ')}` : '',
    others.length > namedAtMost ? 'И другие' : '',
  ];
  return wrapped(
    said
      .filter((one) => one !== '')
      .map((one) => `${one.replace(/\.$/, '')}.`)
      .join(' '),
  );
}

function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? '#'} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(`# ${word}`);
  }
  return lines;
}
