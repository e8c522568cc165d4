import { expect, test } from '@jest/globals';
import {
  formatCount,
  formatDate,
  formatDay,
  formatDuration,
  formatList,
  formatMoment,
  formatPrice,
  nameOfWeekday,
  onDay,
  onDayFrom,
} from './format.ts';

const nbsp = '\u00A0';

test.each([
  [0, `0${nbsp}₽`],
  [99, `0,99${nbsp}₽`],
  [110, `1,10${nbsp}₽`],
  [123_456, `1${nbsp}234,56${nbsp}₽`],
  [2_450_000, `24${nbsp}500${nbsp}₽`],
])('%i kopecks are %s', (kopecks, expected) => {
  expect(formatPrice(kopecks)).toBe(expected);
});

test('a count has no-break spaces between its groups of digits, and at most three decimals', () => {
  expect([999, 10_000, 1_500_000, 0.35, 0.125, 0.0625].map(formatCount)).toEqual([
    '999',
    `10${nbsp}000`,
    `1${nbsp}500${nbsp}000`,
    '0,35',
    '0,125',
    '0,063',
  ]);
});

test('a date is the same in every time zone', () => {
  expect(formatDate('2026-11-20')).toBe('20 ноября 2026 г.');
});

test.each([
  ['2026-11-23', 'понедельник', 'пн 23 ноября', 'в понедельник, 23 ноября'],
  ['2026-11-24', 'вторник', 'вт 24 ноября', 'во вторник, 24 ноября'],
  ['2027-01-01', 'пятница', 'пт 1 января', 'в пятницу, 1 января'],
])('%s is %s, %s, and something happens %s', (date, name, day, on) => {
  expect([nameOfWeekday(date), formatDay(date), onDay(date)]).toEqual([name, day, on]);
});

test.each([
  ['2026-12-30', 'в среду, 30 декабря'],
  ['2026-12-31', 'сегодня, 31 декабря'],
  ['2027-01-01', 'завтра, 1 января'],
  ['2027-01-02', 'в субботу, 2 января'],
])('on 31 December, %s is %s', (date, words) => {
  expect(onDayFrom('2026-12-31', date)).toBe(words);
});

test.each([
  ['PT3M20S', `3${nbsp}мин${nbsp}20${nbsp}с`],
  ['PT2M', `2${nbsp}мин`],
  ['PT1H', `1${nbsp}ч`],
  ['PT1H02M03S', `1${nbsp}ч${nbsp}02${nbsp}мин${nbsp}03${nbsp}с`],
])('%s lasts %s', (duration, expected) => {
  expect(formatDuration(duration)).toBe(expected);
});

test('words are listed with commas and a last «и»', () => {
  expect([['а'], ['а', 'б'], ['а', 'б', 'в']].map(formatList)).toEqual(['а', 'а и б', 'а, б и в']);
});

test.each([
  ['2026-11-20T10:05:00Z', 'Europe/Moscow', '20 ноября 2026 г. в 13:05'],
  ['2026-11-20T21:00:00Z', 'Europe/Moscow', '21 ноября 2026 г. в 0:00'],
  ['2026-11-20T21:00:00Z', 'Europe/Berlin', '20 ноября 2026 г. в 22:00'],
])('the moment %s in %s is %s', (instant, timeZone, expected) => {
  expect(formatMoment(instant, timeZone)).toBe(expected);
});
