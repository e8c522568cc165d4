import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { beginningWith, nearlyLike, placeOf, sorted } from './sorted.ts';

/** Levenshtein's distance, by its definition. */
function distance([first, ...one]: readonly string[], [head, ...other]: readonly string[]): number {
  if (first === undefined || head === undefined)
    return Number(first !== undefined || head !== undefined) + one.length + other.length;
  if (first === head) return distance(one, other);
  return 1 + Math.min(distance(one, other), distance([first, ...one], other), distance(one, [head, ...other]));
}

const word = fc.string({ unit: fc.constantFrom('а', 'б', 'в'), maxLength: 5 });

test('what a list has near a text is what a look at each text would find', () => {
  fc.assert(
    fc.property(fc.uniqueArray(word), word, fc.integer({ min: 0, max: 3 }), (texts, text, most) => {
      const near = texts.map((one) => [one, distance([...one], [...text])] as const).filter(([, far]) => far <= most);
      expect([...nearlyLike(sorted(texts.sort()), text, most)].sort()).toEqual(near.sort());
    }),
  );
});

test('texts are found by their beginning, and where they stand', () => {
  const list = sorted(['кор', 'корм', 'короб', 'склад']);
  expect(beginningWith(list, 'кор')).toEqual(['кор', 'корм', 'короб']);
  expect(beginningWith(list, 'я')).toEqual([]);
  expect([placeOf(list, 'корм'), placeOf(list, 'корма')]).toEqual([1, undefined]);
});
