import { X509Certificate } from 'node:crypto';
import * as z from 'zod';

/** `fetch` rejects URLs that contain a user name. */
export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'an address such as https://example.ru', abort: true })
  .refine((value) => new URL(value).username === '', 'an address without a user and a password');

export const yesOrNo = z.enum(['true', 'false'], 'true or false').transform((value) => value === 'true');

/** Several values, without empty ones. */
export const list = z
  .string()
  .refine((text) => !text.includes(';'), { error: 'several values are separated by commas, not by ;', abort: true })
  .transform((text) => text.split(',').flatMap((value) => value.trim() || []));

/** For messages about addresses that hold a password. */
export const passwordSigns = 'in the user and the password, write # as %23, / as %2F, ? as %3F and @ as %40';

export function withoutSlash(address: string): string {
  return address.replace(/\/$/, '');
}

export const certificates = z.string().refine((text) => {
  const found = text.match(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs) ?? [];
  return found.length > 0 && found.every(isCertificate);
}, 'certificates in the format PEM');

/** TLS ignores one that it cannot read. */
function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}
