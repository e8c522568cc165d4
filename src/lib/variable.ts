import * as z from 'zod';

/** For `.env.example`. */
export type Meaning = { meaning: string; value: { byDefault: string } | { example: string } };

export const meanings = z.registry<Meaning>();

/** `undefined` if unset without a default. Empty means unset, because compose files write `NAME=`. */
export function variable<T extends z.ZodType>(
  meaning: string,
  value: Extract<Meaning['value'], { byDefault: string }>,
  schema: T,
): z.ZodType<z.output<T>>;
export function variable<T extends z.ZodType>(
  meaning: string,
  value: Extract<Meaning['value'], { example: string }>,
  schema: T,
): z.ZodType<z.output<T> | undefined>;
export function variable(meaning: string, value: Meaning['value'], schema: z.ZodType): z.ZodType {
  const byDefault = 'byDefault' in value ? value.byDefault : undefined;
  const given = z.preprocess((text) => text || byDefault, byDefault === undefined ? schema.optional() : schema);
  return given.register(meanings, { meaning, value });
}

/** `fetch` rejects URLs that contain a user name. */
export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'an address such as https://example.ru', abort: true })
  .refine((value) => new URL(value).username === '', 'an address without a user and a password');

export const yesOrNo = z.enum(['true', 'false'], 'true or false').transform((value) => value === 'true');

export function withoutSlash(address: string): string {
  return address.replace(/\/$/, '');
}
