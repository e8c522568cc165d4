import { expect, test } from '@jest/globals';
import { buttons, neighbours, pagePath, pageTitle, paginate } from './paginate.ts';

const items = Array.from({ length: 23 }, (_, index) => index + 1);

test('a page has ten items, the last one what is left', () => {
  expect(paginate(items, {})).toEqual({ items: items.slice(0, 10), page: 1, pages: 3, total: 23 });
  expect(paginate(items, { page: '3' })).toEqual({ items: [21, 22, 23], page: 3, pages: 3, total: 23 });
});

test.each(['0', '4', '-1', '1.5', '01', ' 1', '1e1', '', 'x', '9999999'])('there is no page %j', (page) => {
  expect(paginate(items, { page })).toBeUndefined();
});

test('an empty list has one page', () => {
  expect(paginate([], {})).toEqual({ items: [], page: 1, pages: 1, total: 0 });
  expect(paginate([], { page: '2' })).toBeUndefined();
});

test.each([
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [1, 9, [1, 2, 3, 4, 5]],
  [3, 9, [1, 2, 3, 4, 5]],
  [4, 9, [2, 3, 4, 5, 6]],
  [8, 9, [5, 6, 7, 8, 9]],
  [9, 9, [5, 6, 7, 8, 9]],
])('on page %i of %i the buttons are %j', (page, pages, expected) => {
  expect(buttons(page, pages)).toEqual(expected);
});

test('the first page has no query and every page a title of its own', () => {
  expect(pagePath('/cases', 1)).toBe('/cases');
  expect(pagePath('/cases', 2)).toBe('/cases?page=2');
  expect(pageTitle('Кейсы', 1)).toBe('Кейсы');
  expect(pageTitle('Кейсы', 2)).toBe('Кейсы, страница 2');
});

test('neighbours stop at the ends', () => {
  expect(neighbours('/blog', 1, 1)).toEqual({});
  expect(neighbours('/blog', 1, 3)).toEqual({ next: '/blog?page=2' });
  expect(neighbours('/blog', 2, 3)).toEqual({ previous: '/blog', next: '/blog?page=3' });
});
