import { expect, test } from '@jest/globals';
import { changeOf } from './change.ts';

const change = (before: string, after: string, better?: 'more' | 'less') =>
  changeOf({ metric: 'Показатель', before, after, ...(better && { better }) });

test('more of what a client wants less of is worse, and less of what they want more of', () => {
  expect(change('25 минут', '40 минут', 'less').isWorse).toBe(true);
  expect(change('56', '45', 'more').isWorse).toBe(true);
  expect(change('4 из 31', '0 из 34', 'less').isWorse).toBe(false);
  expect(change('31 %', '58 %', 'more').isWorse).toBe(false);
});

test('nothing is worse that no editor has judged, or that has stayed', () => {
  expect(change('310', '720')).toEqual({ isWorse: false, bars: { before: 43.1, after: 100 } });
  expect(change('3 дня', '3 дня', 'less').isWorse).toBe(false);
});

test('the longer of both bars has the whole width, and words have none', () => {
  expect(change('3 мин 40 с', '1 мин 50 с', 'less').bars).toEqual({ before: 100, after: 50 });
  expect(change('0 %', '93 %').bars).toEqual({ before: 0, after: 100 });
  expect(change('не проверяли', '0,8 %').bars).toBeUndefined();
});
