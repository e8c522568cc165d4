import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { addresses } from '../routes.ts';
import { shippedTest } from '../testing/content.ts';
import { shownSite } from '../testing/test-site.ts';
import { searchDocuments } from './documents.ts';
import { nearestPages } from './nearest.ts';

const content = (await shownSite()).content;

function nearest(address: string): string[] {
  return nearestPages(content, address).map(({ path }) => path);
}

const leads = (address: string, path: string) => expect(nearest(address)[0]).toBe(path);

test.each([
  ['/rate', '/rates'],
  ['/rates/', '/rates'],
  ['/rates.html', '/rates'],
  ['/tarify', '/rates'],
  ['/kontakty', '/contacts'],
  ['/contact-us', '/contacts'],
  ['/o-kompanii', '/about'],
])('for %s, the first page is %s', leads);

shippedTest.each([
  ['/services/foto', '/services/photo'],
  ['/service/photo', '/services/photo'],
  ['/uslugi/upakovka', '/services/package'],
  ['/fulfillment', '/services/fulfillment'],
  ['/blog/articles/kak-schitat-litri', '/blog/articles/kak-schitat-litry'],
  ['/упаковка', '/services/package'],
  [encodeURI('/упаковка'), '/services/package'],
])('for %s, the first page is %s', leads);

test('an address that says only where it is leads to its folder, and to what is in it', () => {
  expect(nearest('/cases/999')[0]).toBe('/cases');
  expect(nearest('/blog/articles/0')[0]).toBe('/blog/articles');
  for (const address of ['/services', '/services/zzz']) {
    expect(nearest(address)).toEqual(Array(5).fill(expect.stringMatching(/^\/services\//)));
  }
});

test.each(['/wp-login.php', '/.env', '/', '', '/%E0%A4%A', `/${'a'.repeat(8000)}`, '/xyzzy', '/no/such/page'])(
  'for %s there is none',
  (address) => {
    expect(nearest(address)).toEqual([]);
  },
);

test('whatever is asked for, an answer is found', () => {
  fc.assert(
    fc.property(fc.oneof(fc.webPath(), fc.string({ unit: 'binary', maxLength: 300 })), (address) => {
      nearestPages(content, `/${address}`);
    }),
    { numRuns: 200 },
  );
});

test('what can be found has an address, and every page but the first and the form can be found', () => {
  const pages = addresses(content).map(({ path, page, params }) => ({
    path,
    view: page.open(content, params, {}),
  }));
  const known = new Map(pages.map(({ path, view }) => [view?.head.path ?? path, view?.body]));
  const found = searchDocuments(content).map(({ path }) => path);
  const leadsNowhere = (address: string) => {
    const [path = '', anchor] = address.split('#', 2);
    const body = known.get(path);
    return body === undefined || (anchor !== undefined && !renderToStaticMarkup(body).includes(` id="${anchor}"`));
  };
  expect(found.filter(leadsNowhere)).toEqual([]);
  expect(new Set(found).size).toBe(found.length);
  expect([...known.keys()].filter((path) => !found.includes(path))).toEqual(['/', '/search']);
});
