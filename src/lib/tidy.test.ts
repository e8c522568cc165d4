import { expect, test } from '@jest/globals';
import { characters, cut, isVisible, shorten, tidyLine, tidyText } from './tidy.ts';

test.each([
  ['spaces at the ends and repeated spaces', '  Анна \u00A0 Иванова\t', 'Анна Иванова'],
  ['line breaks', 'Анна\r\nИванова', 'Анна Иванова'],
  ['control and bidi characters', 'А\u0000н\u061C\u200E\u200F\u202A\u202E\u2066\u2069\u007F\uFEFFна', 'Анна'],
  ['tabs and form feeds', 'Анна\t\v\fИванова', 'Анна Иванова'],
  ['decomposed letters', 'и\u0306', 'й'],
  ['half of a surrogate pair', 'а\ud83d', 'а\uFFFD'],
])('returns one line for a text with %s', (_, typed, line) => {
  expect(tidyLine(typed)).toBe(line);
});

test('keeps the line breaks of a text, each as one character', () => {
  expect(tidyText('\na\r\nb\rc\u2028d\u0085e\n')).toBe('a\nb\nc\nd\ne');
});

test('keeps at most 30 combining marks of a letter, because a long run is slow', () => {
  expect(tidyText(`a${'\u0316'.repeat(100_000)}b`)).toBe(`a${'\u0316'.repeat(30)}b`);
});

test.each([
  ['', false],
  [' \n\u00A0', false],
  ['\u200B\u2060\u3164', false],
  [' . ', true],
  ['😀', true],
])('reports whether %j has a visible character', (text, visible) => {
  expect(isVisible(text)).toBe(visible);
});

test('counts and cuts by code points', () => {
  expect(characters('а😀')).toBe(2);
  expect(cut('😀😀😀', 2)).toBe('😀😀');
  expect(cut('два слова', 4)).toBe('два');
  expect(['дв', 'два', 'двадцать'].map((text) => cut(text, 3))).toEqual(['дв', 'два', 'два']);
  expect(cut('😀😀', 2)).toBe('😀😀');
});

test('shortens to a number of UTF-16 units including the ellipsis, and splits no character', () => {
  expect(shorten('слово', 5)).toBe('слово');
  expect(shorten('слова', 4)).toBe('сло…');
  expect(shorten('два слова', 5)).toBe('два…');
  expect(shorten('а😀б', 3)).toBe('а…');
});
