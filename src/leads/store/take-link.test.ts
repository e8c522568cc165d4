import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { dayMs } from '../../lib/calendar.ts';
import { StoreError } from '../../lib/store-error.ts';
import { endedDays, keyDay, readTakeToken, type TakeKeys, takeToken } from './take-link.ts';

const right = { number: 12, channel: 'mail:sales@example.ru' };
const issued = Date.parse('2026-11-20T09:00:00Z');
const keysOf = (...days: string[]): TakeKeys => new Map(days.map((one) => [one, randomBytes(32)]));
const keys = keysOf('2026-11-19', '2026-11-20', '2026-11-21');

test('a token says which lead and by which channel, for four days', () => {
  const token = takeToken(right, keys, issued);
  expect(token).toMatch(/^[\w-]+\.[\w-]+$/);
  expect(readTakeToken(token, keys, issued + 4 * dayMs - 1000)).toEqual(right);
  expect(readTakeToken(token, keys, issued + 4 * dayMs)).toBeUndefined();
});

test.each(['00:00:00.000', '00:00:00.999', '23:59:59.000', '23:59:59.999'])(
  'a token of %s is signed and read with the key of its day alone',
  (time) => {
    const at = Date.parse(`2026-11-20T${time}Z`);
    const only = new Map([['2026-11-20', keys.get('2026-11-20') ?? new Uint8Array()]]);
    const token = takeToken(right, only, at);
    expect(readTakeToken(token, only, at)).toEqual(right);
    const others = new Map([...keys].filter(([one]) => one !== '2026-11-20'));
    expect(readTakeToken(token, others, at)).toBeUndefined();
    expect(() => takeToken(right, others, at)).toThrow(StoreError);
  },
);

test('the key of one day makes no tokens of another', () => {
  const [first, second] = ['2026-11-19', '2026-11-20'].map((one) => keys.get(one) ?? new Uint8Array());
  const forged = takeToken(right, new Map([['2026-11-20', first ?? new Uint8Array()]]), issued);
  expect(readTakeToken(forged, keys, issued)).toBeUndefined();
  expect(readTakeToken(forged, new Map([['2026-11-20', second ?? new Uint8Array()]]), issued)).toBeUndefined();
});

test('a token of another key, a changed one and something else are none', () => {
  const token = takeToken(right, keys, issued);
  const [claims = '', mac = ''] = token.split('.');
  const made = (text: string) => Buffer.from(text).toString('base64url');
  const signed = (text: string) => {
    const key = keys.get('2026-11-20') ?? new Uint8Array();
    return `${made(text)}.${createHmac('sha256', key).update(made(text)).digest('base64url')}`;
  };
  expect(readTakeToken(token, keysOf(...keys.keys()), issued)).toBeUndefined();
  expect(readTakeToken(token, new Map(), issued)).toBeUndefined();
  for (const wrong of [
    ...[`${made('[13,4000000000,"mail"]')}.${mac}`, `${made('[13,1795600000,"mail"]')}.${mac}`],
    ...[`${claims}.`, `${claims}`, `.${mac}`, '', '.', `${claims}.${mac}x`, 'ы.ы', `${made('[13,')}.${mac}`],
    signed('[12,99999999999999999999,"mail"]'),
  ]) {
    expect(readTakeToken(wrong, keys, issued)).toBeUndefined();
  }
});

test('keys are those of the newest five days and of the next, whatever a wrong clock has made', () => {
  const days = (from: string, count: number) =>
    Array.from({ length: count }, (_, n) => keyDay(Date.parse(from) + n * dayMs));
  const now = Date.parse('2026-11-20T09:00:00Z');
  const five = days('2026-11-16', 5);
  expect(endedDays([...five, '2026-11-21'], now)).toEqual([]);
  expect(endedDays(['2026-11-15', ...five, '2026-11-14'], now)).toEqual(['2026-11-14', '2026-11-15']);
  // A clock that went a year ahead, and one that went a year back, while it is wrong and afterwards.
  expect(endedDays([...five, '2027-11-20'], Date.parse('2027-11-20T09:00:00Z'))).toEqual(['2026-11-16']);
  expect(endedDays([...five, '2025-11-20', '2027-11-20'], now)).toEqual(['2025-11-20', '2027-11-20']);
});
