import { expect, test } from '@jest/globals';
import { isEmbeddable } from './player.ts';

const hosts = ['rutube.ru', '*.okcdn.ru', 'player.example:8443'];

test.each([
  'https://rutube.ru/play/embed/1',
  'https://RUTUBE.ru/live',
  'https://vd1.okcdn.ru/live.m3u8',
  'https://a.b.okcdn.ru/',
  'https://player.example:8443/1',
])('%s may be shown', (address) => {
  expect(isEmbeddable(address, hosts)).toBe(true);
});

test.each([
  'http://rutube.ru/play/embed/1',
  'https://rutube.ru.evil.example/',
  'https://evil.example/rutube.ru',
  'https://rutube.ru@evil.example/',
  'https://my.rutube.ru/',
  'https://okcdn.ru/',
  'https://evilokcdn.ru/',
  'https://player.example/1',
  'https://rutube.ru:444/',
  'javascript:alert(1)',
  'rutube.ru',
  '',
])('%j is linked to', (address) => {
  expect(isEmbeddable(address, hosts)).toBe(false);
});

test('where the operator names no host, nothing is shown', () => {
  expect(isEmbeddable('https://rutube.ru/', [])).toBe(false);
});
