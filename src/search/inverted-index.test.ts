import { expect, test } from '@jest/globals';
import { invertedIndex, rank, termsFrom } from './inverted-index.ts';
import { tokenizer } from './synonyms.ts';

function indexOf(texts: readonly (readonly [title: string, text: string])[], boosts: readonly number[] = []) {
  const entries = texts.map((fields, at) => ({ fields, boost: boosts[at] ?? 1 }));
  return invertedIndex(entries, [3, 1], tokenizer([]));
}

const word = (term: string) => new Map([[term, 1]]);

test('a match in a title counts more than one in a text, and a short text more than a long one', () => {
  const index = indexOf([
    ['', `склад ${'и так далее '.repeat(20)}`],
    ['', 'склад'],
    ['склад', ''],
  ]);
  expect(rank(index, [word('склад')], 1).documents).toEqual([2, 1, 0]);
});

test('a document that is looked for more often comes before its equals, and equals keep their order', () => {
  const texts = Array.from({ length: 3 }, () => ['склад', ''] as const);
  expect(rank(indexOf(texts, [1, 1, 2]), [word('склад')], 1).documents).toEqual([2, 0, 1]);
});

test('a rare word counts more than a common one', () => {
  const index = indexOf([
    ['', 'склад'],
    ['', 'короб'],
    ['', 'склад'],
  ]);
  expect(rank(index, [word('склад'), word('короб')], 1).documents).toEqual([1, 0, 2]);
});

test('a rare word that only resembles the wanted one does not outweigh it', () => {
  const common = Array.from({ length: 9 }, () => ['', 'склад'] as const);
  const index = indexOf([['', 'складн'], ...common]);
  const wanted = new Map([
    ['склад', 1],
    ['складн', 0.7],
  ]);
  expect(rank(index, [wanted], 1).documents.at(-1)).toBe(0);
});

test('a document must have enough of the words, or as many as any has', () => {
  const index = indexOf([
    ['', 'склад короб паллета'],
    ['', 'склад короб'],
    ['', 'склад'],
  ]);
  const words = ['склад', 'короб', 'паллет'].map(word);
  expect(rank(index, words, 3)).toEqual({ documents: [0], most: 3 });
  expect(rank(index, words, 2)).toEqual({ documents: [0, 1], most: 3 });
  expect(rank(index, [word('склад'), word('лазер')], 2)).toEqual({ documents: [2, 1, 0], most: 1 });
  expect(rank(index, [word('лазер')], 1)).toEqual({ documents: [], most: 0 });
  expect(rank(index, [], 0)).toEqual({ documents: [], most: 0 });
});

test('terms are found by their beginning', () => {
  const index = indexOf([['', 'короб корм склад кор']]);
  expect([...termsFrom(index, 'кор')]).toEqual(['кор', 'корм', 'короб']);
  expect([...termsFrom(index, 'я')]).toEqual([]);
});

test('there may be no documents at all', () => {
  expect(rank(indexOf([]), [word('склад')], 1)).toEqual({ documents: [], most: 0 });
});
