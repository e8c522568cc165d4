import { expect, test } from '@jest/globals';
import { createAnalyzer } from './analyzer.ts';
import { analyzeText, excerpt } from './excerpt.ts';

const analyzer = createAnalyzer([]);
const terms = new Set(['короба', 'паллета'].flatMap((word) => analyzer.textTerms(word)));

/** The excerpt of a text of so many words, with the given ones at their places. */
function excerptOf(count: number, asked: Readonly<Record<number, string>>) {
  const text = Array.from({ length: count }, (_, n) => asked[n] ?? `раз${'ы'.repeat(n % 2)}`).join(' ');
  const parts = excerpt(analyzeText(text, analyzer), terms);
  const whole = parts.map((part) => part.text).join('');
  return {
    length: whole.split(/[^\p{L}]+/u).filter((word) => word !== '').length,
    cut: [whole.startsWith('…\u00A0'), whole.endsWith('\u00A0…')],
    marked: parts.filter(({ isMatch }) => isMatch).map((part) => part.text),
    before: whole.split(/короба|паллета/)[0]?.match(/раз/g)?.length ?? 0,
  };
}

test.each([
  [30, 20, 16, [true, false]],
  [30, 6, 30, [false, false]],
  [60, 7, 30, [true, true]],
  [60, 59, 7, [true, false]],
])('of %d words with a match at word %d has %d words, six of them before the match', (count, at, length, cut) => {
  expect(excerptOf(count, { [at]: 'короба' })).toEqual({ length, cut, marked: ['короба'], before: 6 });
});

test('is the part with the most distinct words that were asked for', () => {
  const asked = { 2: 'короба', 3: 'короба', 40: 'короба', 45: 'паллета' };
  expect(excerptOf(60, asked).marked).toEqual(['короба', 'паллета']);
  // Words after the end of a part are not counted.
  const late = { 10: 'короба', 34: 'паллета', 62: 'короба', 85: 'паллета' };
  expect(excerptOf(120, late).marked).toEqual(['короба', 'паллета']);
  // Of equal parts, the first.
  expect(excerptOf(90, { 10: 'короба', 70: 'паллета' }).marked).toEqual(['короба']);
});

test('begins the text when nothing in it was asked for', () => {
  expect(excerptOf(40, {})).toMatchObject({ length: 30, cut: [false, true], marked: [] });
});
