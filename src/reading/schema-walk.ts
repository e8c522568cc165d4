import * as z from 'zod';
import { type Mark, marks } from '../model/schema.ts';

type Path = readonly PropertyKey[];

/** The schema within one that only wraps it; of a change, what editors write. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return schema.unwrap();
  if (schema instanceof z.ZodPipe) return schema.in instanceof z.ZodTransform ? schema.out : schema.in;
  return undefined;
}

/** The schema of what a value has under `key`. */
function partOf(schema: z.core.$ZodType, key: PropertyKey): z.core.$ZodType | undefined {
  const inner = unwrapped(schema);
  if (inner) return partOf(inner, key);
  if (schema instanceof z.ZodObject) return schema.shape[String(key)];
  if (schema instanceof z.ZodArray) return schema.element;
  if (schema instanceof z.ZodRecord) return schema.valueType;
  if (schema instanceof z.ZodTuple) return schema.def.items[Number(key)];
  return undefined;
}

/** The schema of the value at `path`. */
export function partAt(schema: z.core.$ZodType | undefined, path: Path): z.core.$ZodType | undefined {
  const [key, ...rest] = path;
  return key === undefined || schema === undefined ? schema : partAt(partOf(schema, key), rest);
}

/** The fields that an object of this schema may have; none for other values. */
export function fieldsOf(schema: z.core.$ZodType | undefined): readonly string[] {
  const inner = schema && unwrapped(schema);
  if (inner) return fieldsOf(inner);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** A value that a schema says more of than its form, and where in the file it stands. */
export type Marked = { path: Path; value: unknown; mark: Mark };

/** Every marked value, in the order of the schema. @param value as the schema made it */
export function markedIn(schema: z.core.$ZodType, value: unknown, path: Path = []): Marked[] {
  const mark = markOf(schema);
  if (mark) return [{ path, value, mark }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    const key = Array.isArray(value) ? Number(name) : name;
    const part = one === undefined ? undefined : partOf(schema, key);
    return part ? markedIn(part, one, [...path, key]) : [];
  });
}

function markOf(schema: z.core.$ZodType): Mark | undefined {
  const inner = unwrapped(schema);
  return marks.get(schema) ?? (inner && markOf(inner));
}

/** The same with another value at `path`. */
export function replaced(whole: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  const part = replaced((whole as Record<PropertyKey, unknown>)[key], rest, value);
  return Array.isArray(whole) ? whole.with(Number(key), part) : { ...(whole as object), [key]: part };
}
