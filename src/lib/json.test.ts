import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { jsonForHtml } from './json.ts';

test('JSON for a page has no character with a meaning in HTML or in old scripts, and keeps every value', () => {
  const text = fc.string({ unit: fc.constantFrom(...'<>&/!-"\\aя\u2028\u2029') });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), (words) => {
      const value = { words, [words.join('')]: null };
      expect(jsonForHtml(value)).not.toMatch(/[<>&\u2028\u2029]/);
      expect(JSON.parse(jsonForHtml(value))).toEqual(value);
    }),
  );
});
