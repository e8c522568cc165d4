import * as z from 'zod';

/** `fetch` rejects URLs that contain a user name. */
export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'an address such as https://example.ru', abort: true })
  .refine((value) => new URL(value).username === '', 'an address without a user and a password');

export const yesOrNo = z.enum(['true', 'false'], 'true or false').transform((value) => value === 'true');

export function withoutSlash(address: string): string {
  return address.replace(/\/$/, '');
}
