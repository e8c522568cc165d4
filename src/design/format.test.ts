import { expect, test } from '@jest/globals';
import { formatCount, formatDate, formatDuration, formatPrice } from './format.ts';

const nbsp = '\u00A0';

test.each([
  [0, `0${nbsp}₽`],
  [6, `0,06${nbsp}₽`],
  [420, `4,20${nbsp}₽`],
  [65_000, `650${nbsp}₽`],
  [2_450_000, `24${nbsp}500${nbsp}₽`],
  [123_456, `1${nbsp}234,56${nbsp}₽`],
])('%i kopecks are %s', (kopecks, expected) => {
  expect(formatPrice(kopecks)).toBe(expected);
});

test('counts keep their digits together', () => {
  expect(formatCount(500)).toBe('500');
  expect(formatCount(10_000)).toBe(`10${nbsp}000`);
});

test('a date is the same in every time zone', () => {
  expect(formatDate('2026-11-20')).toBe('20 ноября 2026 г.');
  expect(formatDate('2027-01-01')).toBe('1 января 2027 г.');
});

test.each([
  ['PT3M20S', `3${nbsp}мин${nbsp}20${nbsp}с`],
  ['PT2M', `2${nbsp}мин`],
  ['PT1H5M', `1${nbsp}ч${nbsp}5${nbsp}мин`],
  ['PT45S', `45${nbsp}с`],
])('%s lasts %s', (duration, expected) => {
  expect(formatDuration(duration)).toBe(expected);
});
