import { createHmac, timingSafeEqual } from 'node:crypto';
import { dayMs } from '../../lib/calendar.ts';
import { StoreError } from '../../lib/store-error.ts';

/** Who may take which lead. */
export type TakeRight = { number: number; channel: string };

/** What signs links: 32 bytes for each day, which is written `2026-11-22`, in UTC. */
export type TakeKeys = ReadonlyMap<string, Uint8Array>;

/** A link works for as long as its lead is being delivered: three days, and one more. */
const validDays = 4;
const validMs = validDays * dayMs;

/** The day whose key signs at a time, in milliseconds since 1970. */
export function keyDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/**
 * Of the days that have keys, those whose links have all ended. Links are good for four days, so the newest five days
 * stay, and tomorrow, whose key is made ahead. Later days come from a clock that was wrong: they go, and do not count
 * among the newest five, or links from before would end too early.
 *
 * @param now milliseconds since 1970
 */
export function endedDays(days: Iterable<string>, now: number): string[] {
  const all = [...days].sort();
  const kept = all.filter((day) => day <= keyDay(now)).slice(-1 - validDays);
  return all.filter((day) => !kept.includes(day) && day !== keyDay(now + dayMs));
}

/**
 * The secret part of the address where a lead is taken: a person who has it may read
 * the lead and take it, without an account.
 *
 * @param issuedAt milliseconds since 1970
 * @throws {StoreError} if there is no key of that day
 */
export function takeToken(right: TakeRight, keys: TakeKeys, issuedAt: number): string {
  const key = keys.get(keyDay(issuedAt));
  if (key === undefined) throw new StoreError('There is no key of this day to sign a link with');
  const claims = [right.number, Math.floor((issuedAt + validMs) / 1000), right.channel];
  const text = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${text}.${signature(text, key)}`;
}

/** @returns `undefined` if the token is too old, or was not made with the key of its day */
export function readTakeToken(token: string, keys: TakeKeys, now: number): TakeRight | undefined {
  const [text = '', signed = ''] = token.split('.');
  const claims = Buffer.from(text, 'base64url').toString();
  // The end names the day of the key. It is not verified yet, so nothing else is read.
  const end = Number(/^\[\d+,(\d{10}),/.exec(claims)?.[1]) * 1000;
  const key = end > now ? keys.get(keyDay(end - validMs)) : undefined;
  if (key === undefined) return undefined;
  const expected = Buffer.from(signature(text, key));
  const given = Buffer.from(signed);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const [number, , channel] = JSON.parse(claims) as [number, number, string];
  return { number, channel };
}

function signature(text: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}
