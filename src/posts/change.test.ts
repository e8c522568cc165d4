import { expect, test } from '@jest/globals';
import { changeOf } from './change.ts';

const change = (numbers?: [number, number], better?: 'more' | 'less') => {
  const [before = 0, after = 0] = numbers ?? [];
  return changeOf({ metric: 'Показатель', before: '', after: '', numbers: numbers && { before, after }, better });
};

test('more of what a client wants less of is worse, and less of what they want more of', () => {
  expect(change([25, 40], 'less').verdict).toBe('worse');
  expect(change([56, 45], 'more').verdict).toBe('worse');
  expect(change([4, 0], 'less').verdict).toBe('better');
  expect(change([31, 58], 'more').verdict).toBe('better');
});

test('nobody judges what no editor has judged, and what has stayed', () => {
  expect(change([310, 720])).toEqual({ bars: { before: 43.1, after: 100 } });
  expect(change([3, 3], 'less').verdict).toBeUndefined();
});

test('the longer of both bars has the whole width, and words have none', () => {
  expect(change([220, 110], 'less').bars).toEqual({ before: 100, after: 50 });
  expect(change([0, 93]).bars).toEqual({ before: 0, after: 100 });
  expect(change()).toEqual({});
});
