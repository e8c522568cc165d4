import { expect, test } from '@jest/globals';
import { changeOf } from './change.ts';

const change = (numbers?: [number, number], better?: 'more' | 'less') => {
  const [before = 0, after = 0] = numbers ?? [];
  return changeOf({ metric: 'Показатель', before: '', after: '', numbers: numbers && { before, after }, better });
};

test('more of what a client wants less of is worse, and less of what they want more of', () => {
  expect(change([25, 40], 'less').isWorse).toBe(true);
  expect(change([56, 45], 'more').isWorse).toBe(true);
  expect(change([4, 0], 'less').isWorse).toBe(false);
  expect(change([31, 58], 'more').isWorse).toBe(false);
});

test('nothing is worse that no editor has judged, or that has stayed', () => {
  expect(change([310, 720])).toEqual({ isWorse: false, bars: { before: 43.1, after: 100 } });
  expect(change([3, 3], 'less').isWorse).toBe(false);
});

test('the longer of both bars has the whole width, and words have none', () => {
  expect(change([220, 110], 'less').bars).toEqual({ before: 100, after: 50 });
  expect(change([0, 93]).bars).toEqual({ before: 0, after: 100 });
  expect(change()).toEqual({ isWorse: false });
});
