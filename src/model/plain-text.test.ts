import { expect, test } from '@jest/globals';
import { plainText } from './plain-text.ts';

test('keeps words whole, and sets apart what stands in blocks of its own', () => {
  expect(
    plainText('<h2 id="a">Раз</h2>\n<p>два <b>т</b>ри&nbsp;&lt;4&gt; «<a href="/">пять</a>».</p><p>Шесть</p>\n'),
  ).toBe('Раз. два три&nbsp;<4> «пять». Шесть.');
});
