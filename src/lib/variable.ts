import * as z from 'zod';

/** What a variable is for, and its value if it is not set, or one that it might have. */
export type Meaning = { meaning: string; value: { byDefault: string } | { example: string } };

export const meanings = z.registry<Meaning>();

/** A variable of the environment. An empty one means what an absent one means: compose files write `NAME=`. */
export function variable<T extends z.ZodType>(meaning: string, value: Meaning['value'], schema: T) {
  const given = z.preprocess((text) => (text === '' ? undefined : text), schema.optional());
  return given.register(meanings, { meaning, value });
}

/** Without a user in it: `fetch` takes none. */
export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'an address that begins with https://', abort: true })
  .refine((value) => new URL(value).username === '', 'an address without a user and a password');
