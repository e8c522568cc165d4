import * as z from 'zod';
import { type Mark, marks } from '../model/schema.ts';

/** A value that a schema says more of than its form, and where in the file it stands. */
export type Marked = { path: readonly PropertyKey[]; value: unknown; mark: Mark };

/** Every marked value, in the order of the schema. */
export function markedIn(schema: z.ZodType, value: unknown, path: readonly PropertyKey[] = []): Marked[] {
  if (value === undefined) return [];
  const mark = marks.get(schema);
  if (mark) return [{ path, value, mark }];
  const inner = (part: z.core.$ZodType, key: PropertyKey) =>
    markedIn(part as z.ZodType, (value as Record<PropertyKey, unknown>)[key], [...path, key]);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return markedIn(schema.unwrap() as z.ZodType, value, path);
  }
  if (schema instanceof z.ZodPipe) return markedIn(schema.out as z.ZodType, value, path);
  if (schema instanceof z.ZodObject)
    return Object.entries<z.ZodType>(schema.shape).flatMap(([key, part]) => inner(part, key));
  if (schema instanceof z.ZodArray) return (value as unknown[]).flatMap((_, index) => inner(schema.element, index));
  return [];
}

/** The same with another value at `path`. */
export function replaced(whole: unknown, [key, ...rest]: readonly PropertyKey[], value: unknown): unknown {
  if (key === undefined) return value;
  const part = replaced((whole as Record<PropertyKey, unknown>)[key], rest, value);
  return Array.isArray(whole) ? whole.with(Number(key), part) : { ...(whole as object), [key]: part };
}
