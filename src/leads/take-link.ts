import { createHmac, timingSafeEqual } from 'node:crypto';

/** Who may take which lead. */
export type TakeRight = { number: number; channel: string };

/** A link works for as long as its lead is being delivered: three days, and one more. */
const validMs = 4 * 24 * 3_600_000;

/**
 * The secret part of the address where a lead is taken: whoever has it may read the
 * lead and take it, without an account.
 *
 * @param secret 32 bytes
 * @param issuedAt milliseconds since 1970
 */
export function takeToken(right: TakeRight, secret: Uint8Array, issuedAt: number): string {
  const claims = [right.number, Math.floor((issuedAt + validMs) / 1000), right.channel];
  const text = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${text}.${signature(text, secret)}`;
}

/** @returns `undefined` if the token was not made with this secret, or is too old */
export function readTakeToken(token: string, secret: Uint8Array, now: number): TakeRight | undefined {
  const [text = '', signed = ''] = token.split('.');
  const expected = Buffer.from(signature(text, secret));
  const given = Buffer.from(signed);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const [number, expires, channel] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [number, number, string];
  return expires * 1000 > now ? { number, channel } : undefined;
}

function signature(text: string, secret: Uint8Array): string {
  return createHmac('sha256', secret).update(text).digest('base64url');
}
