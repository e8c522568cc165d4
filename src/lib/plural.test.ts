import { expect, test } from '@jest/globals';
import { plural } from './plural.ts';

test.each([
  ['короб', [1, 21, 101, 1001]],
  ['короба', [2, 3, 4, 22, 104]],
  ['коробов', [0, 5, 10, 11, 12, 14, 20, 25, 111, 114, 1000]],
])('%s stands after %j', (form, counts) => {
  expect(counts.map((count) => plural(count, ['короб', 'короба', 'коробов']))).toEqual(counts.map(() => form));
});
