import * as z from 'zod';
import { memoized } from '../lib/lazy.ts';
import { type Mark, marks } from '../model/schemas/field-marks.ts';
import type { Kind } from './kinds.ts';
import type { Path } from './yaml.ts';

export type JsonSchema = {
  title?: string;
  description?: string;
  type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  /** Tuples have a schema for each position. */
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
  'x-mark'?: Mark;
};

/** Draft 7, which all text editors support. */
export const schemaOf = memoized(({ schema, title }: Kind): JsonSchema => {
  const made = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    override({ zodSchema, jsonSchema }) {
      const mark = marks.get(zodSchema);
      if (mark) jsonSchema['x-mark'] = mark;
      // `format` says the same, and text editors show patterns to users.
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

/** The first sentence is the field name, the rest is a hint. */
export function labelOf({ description = '' }: JsonSchema): { name: string; hint: string } {
  const [name = '', ...rest] = description.split('. ');
  return { name, hint: rest.join('. ') };
}

export type MarkedField = { path: Path; value: unknown; mark: Mark };

/** In file order. */
export function markedIn(schema: JsonSchema, value: unknown, path: Path = []): MarkedField[] {
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

export function replaced(whole: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  const part = replaced((whole as Record<PropertyKey, unknown>)[key], rest, value);
  return Array.isArray(whole) ? whole.with(Number(key), part) : { ...(whole as object), [key]: part };
}

export function leavesIn(value: unknown, path: Path = []): { path: Path; value: unknown }[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }];
  return Object.entries(value).flatMap(([key, one]) =>
    leavesIn(one, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}
