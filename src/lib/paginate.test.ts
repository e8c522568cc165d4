import { expect, test } from '@jest/globals';
import { buttons, pagePath, pageTitle, paginate } from './paginate.ts';

const list = (length: number) => Array.from({ length }, (_, index) => index + 1);

test.each([
  [0, 1],
  [10, 1],
  [11, 2],
  [23, 3],
])('a list of %i items has %i pages with ten items each, and the rest on the last page', (total, pages) => {
  const items = list(total);
  const shown = list(pages).map((page) => paginate(items, { page: String(page) }));
  expect(shown.flatMap((one) => one?.items)).toEqual(items);
  for (const [index, one] of shown.entries()) {
    expect(one).toMatchObject({ page: index + 1, pages, total });
    if (index + 1 < pages) expect(one?.items).toHaveLength(10);
  }
  expect(paginate(items, {})).toEqual(shown[0]);
  expect(paginate(items, { page: String(pages + 1) })).toBeUndefined();
});

test.each(['0', '01', '', 'x', '-1', '1.5', '1e0', ' 1', '1000000'])('a list has no page %j', (page) => {
  expect(paginate(list(23), { page })).toBeUndefined();
});

test.each([
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [1, 9, [1, 2, 3, 4, 5]],
  [4, 9, [2, 3, 4, 5, 6]],
  [9, 9, [5, 6, 7, 8, 9]],
])('page %i of %i has the buttons %j', (page, pages, expected) => {
  expect(buttons(page, pages)).toEqual(expected);
});

test('the first page has the address and the title of the list, and the others add their number', () => {
  expect([1, 2].map((page) => pagePath('/cases', page))).toEqual(['/cases', '/cases?page=2']);
  expect(pagePath('/search?q=a', 2)).toBe('/search?q=a&page=2');
  expect([1, 2].map((page) => pageTitle('Кейсы', page))).toEqual(['Кейсы', 'Кейсы, страница 2']);
});
