import { expect, test } from '@jest/globals';
import { slugOf } from './slug.ts';

test.each([
  ['Рейсы в новый центр', 'rejsy-v-novyj-centr'],
  ['«Съёмка»: щётки, ёлки — 50 % за FBO!', 'semka-shchetki-elki-50-za-fbo'],
  ['  -- ', ''],
  [`Слово ${'длинное '.repeat(20)}`, `slovo${'-dlinnoe'.repeat(6)}`],
  ['а'.repeat(200), 'a'.repeat(60)],
])('%s', (title, slug) => {
  expect(slugOf(title)).toBe(slug);
});
