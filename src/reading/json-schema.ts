import * as z from 'zod';
import { type Mark, marks } from '../model/schema.ts';
import type { Kind } from './kinds.ts';

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

/** What may be written into a kind of file, as editors' programs read it: all of them know draft 7. */
export function jsonSchemaOf({ schema, title }: Pick<Kind, 'schema' | 'title'>): JsonSchema {
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
}

/** The schema of each item of a list, unless the items differ by place. */
export function itemOf({ items }: JsonSchema): JsonSchema | undefined {
  return Array.isArray(items) ? undefined : (items as JsonSchema | undefined);
}

/** A description's first sentence is what the field is called, the others are what to know about it. */
export function labelOf({ description = '' }: JsonSchema): { name: string; hint: string } {
  const [name = '', ...rest] = description.split('. ');
  return { name, hint: rest.join('. ') };
}
