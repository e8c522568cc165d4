import { expect, test } from '@jest/globals';
import { amountOf, areComparable } from './amount.ts';

test.each([
  ['1\u00A0140 шт.', 1140, 'шт.'],
  ['4,6 дня', 4.6, 'дня'],
  ['31 %', 31, '%'],
  ['4 из 32', 0.125, 'из'],
  ['3 мин 40 с', 220, 'с'],
  ['95 с', 95, 'с'],
  ['56', 56, ''],
])('%s', (text, value, unit) => {
  expect(amountOf(text)).toEqual({ value, unit });
});

test('days are days in every case, seconds no minutes, and words no figure', () => {
  const comparable = (one: string, other: string) => areComparable(amountOf(one), amountOf(other));
  expect(comparable('64 дня', '71 день')).toBe(true);
  expect(comparable('95 с', '2 мин')).toBe(true);
  expect(comparable('4 из 31', '3 %')).toBe(false);
  expect(comparable('не проверяли', '0,8 %')).toBe(false);
});
