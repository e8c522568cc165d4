import { expect, test } from '@jest/globals';
import { redirectsSchema } from '../model/schema.ts';
import { movedAddresses } from './redirects.ts';

const table = redirectsSchema.parse([
  { from: '/price.html', to: '/rates' },
  { from: '/index.php?id=5', to: '/cargo' },
  { from: '/index.php?id=6&lang=ru', to: '/about' },
  { from: '/Услуги/', to: '/services/photo' },
  { from: '/%D0%BE%D1%82%D0%B7%D1%8B%D0%B2%D1%8B', to: '/reviews' },
  { from: '/catalog/*', to: '/rates' },
  { from: '/catalog/video/*', to: '/blog' },
  { from: '/catalog/video/first.php', to: '/blog/news' },
]);
const moved = movedAddresses(table);

test.each([
  ['/price.html', '', '/rates'],
  ['/price.html', '?utm_source=ya', '/rates?utm_source=ya'],
  ['/index.php', '?id=5', '/cargo'],
  ['/index.php', '?utm_source=ya&id=5', '/cargo?utm_source=ya'],
  ['/index.php', '?lang=ru&id=6', '/about'],
  ['/услуги', '', '/services/photo'],
  ['/отзывы', '', '/reviews'],
  ['/catalog/anything/at/all', '?page=3', '/rates?page=3'],
  ['/catalog/video/second', '', '/blog'],
  ['/catalog/video/first.php', '', '/blog/news'],
])('%s%s leads to %s', (path, search, address) => {
  const found = moved(path, search);
  expect(`${found?.path}${found?.search}`).toBe(address);
});

test.each([
  ['/index.php', ''],
  ['/index.php', '?id=50'],
  ['/index.php', '?id=6'],
  ['/catalog', ''],
  ['/catalogue/one', ''],
  ['/price', ''],
])('%s%s is no address that has moved', (path, search) => {
  expect(moved(path, search)).toBeUndefined();
});

test('a table may be empty, and an address in it must be one', () => {
  expect(redirectsSchema.parse(null)).toEqual([]);
  for (const from of ['price.html', '//example.com/a', '/*', '/a/*/b', '/a b', '/a#b', '/%D0', '/a?']) {
    expect([from, redirectsSchema.safeParse([{ from, to: '/rates' }]).success]).toEqual([from, false]);
  }
});
