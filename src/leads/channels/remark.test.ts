import { expect, test } from '@jest/globals';
import { explainCode } from '../../lib/remote-error.ts';
import { remark } from './remark.ts';
import { canaries, notificationOf } from './testing.ts';

const notification = notificationOf({ lead: canaries });

test('what the other side said is told on one short line', () => {
  expect(remark('550 5.1.1\r\n user unknown\u001b[31m', [notification], [])).toBe(': 550 5.1.1 user unknown[31m');
  expect(remark('x'.repeat(1000), [notification], [])).toHaveLength(202);
  expect(remark('', [notification], [])).toBe('');
});

test.each([
  'refused: КАНАРЕЙКИНА',
  'refused: Канарейк…',
  'bad phone 79160009988',
  'bad phone +7 916 000-99-88',
  'extension Зяблик',
  'spam: «сидит в клетке»',
  'source snegir',
  'blocked link https://korob.example/leads/12/take?token=TakeWagtail',
  'bad token abc/secret',
])('a remark that repeats the lead or a secret is left out: %s', (said) => {
  expect(remark(said, [notification], ['abc/secret'])).toBe('');
});

test('a code becomes words, an unknown one stays', () => {
  expect(explainCode('ECONNREFUSED')).toMatch(/refused/);
  expect(explainCode('DEPTH_ZERO_SELF_SIGNED_CERT')).toBe(
    'its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)',
  );
  expect(explainCode('EODD')).toBe('the connection failed (EODD)');
  expect(explainCode(undefined)).toBe('the connection failed');
});
