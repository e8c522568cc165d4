import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { readTakeToken, takeToken } from './take-link.ts';

const secret = randomBytes(32);
const right = { number: 12, channel: 'mail:sales@example.ru' };
const issued = Date.parse('2026-11-20T09:00:00Z');
const day = 24 * 3_600_000;

test('a token says which lead and by which channel, for four days', () => {
  const token = takeToken(right, secret, issued);
  expect(token).toMatch(/^[\w-]+\.[\w-]+$/);
  expect(readTakeToken(token, secret, issued + 4 * day - 1000)).toEqual(right);
  expect(readTakeToken(token, secret, issued + 4 * day)).toBeUndefined();
});

test('a token of another secret, a changed one and something else are none', () => {
  const token = takeToken(right, secret, issued);
  const [claims = '', mac = ''] = token.split('.');
  const other = Buffer.from(JSON.stringify([13, 4e9, 'mail'])).toString('base64url');
  expect(readTakeToken(token, randomBytes(32), issued)).toBeUndefined();
  for (const wrong of [`${other}.${mac}`, `${claims}.`, `${claims}`, `.${mac}`, '', '.', `${claims}.${mac}x`, 'ы.ы']) {
    expect(readTakeToken(wrong, secret, issued)).toBeUndefined();
  }
});
