import * as z from 'zod';
import { memoized } from '../lib/lazy.ts';
import { type Mark, marks } from '../model/schema.ts';
import type { Kind } from './kinds.ts';
import type { Path } from './yaml.ts';

/** JSON Schema, as far as this project's schemas need it. */
export type JsonSchema = {
  title?: string;
  description?: string;
  type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  /** Of a tuple, a schema for each place. */
  items?: JsonSchema | readonly JsonSchema[];
  additionalProperties?: boolean | JsonSchema;
  anyOf?: readonly JsonSchema[];
  enum?: readonly string[];
  default?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  /** What the value means for the rest of the content. */
  'x-mark'?: Mark;
};

/** What may be written into a kind of file, in draft 7, which all editors' programs know. */
export const schemaOf = memoized(({ schema, title }: Kind): JsonSchema => {
  const made = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    override({ zodSchema, jsonSchema }) {
      const mark = marks.get(zodSchema);
      if (mark) jsonSchema['x-mark'] = mark;
      // The format says the same in a word, and programs show a pattern to whoever has broken it.
      if (jsonSchema.format === 'date') delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return { title, ...(made as JsonSchema) };
});

/** @returns `undefined` where the schema says nothing */
export function partAt(schema: JsonSchema | undefined, [key, ...rest]: Path): JsonSchema | undefined {
  if (schema === undefined || key === undefined) return schema;
  const { properties, items, additionalProperties, anyOf } = schema;
  if (anyOf) return partAt(anyOf[0], [key, ...rest]);
  const inList = Array.isArray(items) ? items[Number(key)] : items;
  const inRecord = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  return partAt(properties?.[String(key)] ?? inList ?? inRecord, rest);
}

/** A description's first sentence is the field's name, the rest is what to know about it. */
export function labelOf({ description = '' }: JsonSchema): { name: string; hint: string } {
  const [name = '', ...rest] = description.split('. ');
  return { name, hint: rest.join('. ') };
}

export type Marked = { path: Path; value: unknown; mark: Mark };

/** Every marked value, in the order of the file. */
export function markedIn(schema: JsonSchema, value: unknown, path: Path = []): Marked[] {
  const mark = schema['x-mark'];
  if (mark && value !== undefined) return [{ path, value, mark }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    const key = Array.isArray(value) ? Number(name) : name;
    const part = partAt(schema, [key]);
    return part ? markedIn(part, one, [...path, key]) : [];
  });
}

export function valueAt(whole: unknown, path: Path): unknown {
  return path.reduce((value: unknown, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], whole);
}

/** The same with another value at `path`. */
export function replaced(whole: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  const part = replaced((whole as Record<PropertyKey, unknown>)[key], rest, value);
  return Array.isArray(whole) ? whole.with(Number(key), part) : { ...(whole as object), [key]: part };
}
