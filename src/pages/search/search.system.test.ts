import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { errorView } from '../../http/error.page.tsx';
import { formatPrice } from '../../lib/format.ts';
import type { Content } from '../../model/content.ts';
import { addresses } from '../../routes.ts';
import { all, one, parseHtml, textOf as readAs } from '../../tests/support/html.ts';
import { proseOf } from '../../tests/support/prose-of.ts';
import { testIf } from '../../tests/support/test-if.ts';
import { shownSite, startTestSite } from '../../tests/support/test-site.ts';
import { searchDocuments } from './documents.ts';
import { nearestPages } from './nearest.ts';
import { priceAnswers } from './price-answers.tsx';
import { searchPage } from './search.page.tsx';
import { prepareIndex, resultOf, search } from './search.ts';

const shippedTest = testIf({ shipped: true });

const site = await startTestSite();
const { content } = site.served;
await prepareIndex(content);

/** A smaller index takes less time to build. */
async function indexed(changes: Partial<Content>): Promise<Content> {
  const small = { ...content, articles: [], cases: [], news: [], questions: [], ...changes };
  await prepareIndex(small);
  return small;
}

const documents = (query: string, of = content) => search(of, query).matches.map(({ document }) => document);
const found = (query: string, of = content) => documents(query, of).map(({ path }) => path);
const question = (slug: string, title: string, text: string): Content['questions'][number] => {
  return { slug, topic: '', question: title, answer: proseOf(text) };
};

shippedTest.each([
  ['упаковываем', '/services/package'],
  ['upakovka', '/services/package'],
  ['фулф', '/services/fulfillment'],
  ['фулфимлент', '/services/fulfillment'],
  ['[hfytybt', '/services/storage'],
  ['упаковка xyzzy', '/services/package'],
  [`расписание ${content.departures[0]?.warehouse}`, content.departures[0]?.service],
  ['цена доставки в Тулу', '/rates#region-delivery'],
])('«%s» is found regardless of its form, alphabet, spelling and keyboard layout: %s', (query, path) => {
  expect(found(query).slice(0, 3)).toContain(path);
});

shippedTest.each([
  ['every spelling of a name', ['wildberries', 'WB', 'вб', 'Вайлдберриз']],
  ['numbers with and without a space after the thousands', ['1000 кодов', '1 000 кодов']],
  ['composed and decomposed letters', ['наклейка', 'наклейка'.normalize('NFD')]],
  ['«е» for «ё»', ['съёмка', 'съемка']],
  ['stop words', ['стоит упаковать', 'сколько стоит и как упаковать']],
  ['words after the first few', ['упаковка', 'упаковка '.repeat(10).padEnd(100_000, ' кракозябра')]],
])('an exact search returns the same results for %s', (_, queries) => {
  const answers = queries.map((query) => ({ exact: search(content, query).exact, paths: found(query).sort() }));
  expect(answers).toEqual(queries.map(() => ({ exact: true, paths: answers[0]?.paths })));
  expect(answers[0]?.paths).not.toEqual([]);
});

shippedTest.each([
  ['штрихкод 58×40', ['Штрихкод товара 58×40 мм, печать и наклейка']],
  ['инфляция', []],
  ['', []],
])('«%s» is answered with the prices of %j', (query, texts) => {
  const answers = priceAnswers(content, query);
  expect(answers.map(({ text }) => readAs(text))).toEqual(texts);
  const page = parseHtml(renderToStaticMarkup(searchPage.open(content, {}, { q: query })?.body));
  const links = all(page, '.price-answers a').map(({ attrs }) => attrs.href);
  const shown = all(page, '.price-answers li').map(readAs);
  expect(shown).toHaveLength(texts.length);
  for (const [index, { price, calculation }] of answers.entries()) {
    expect(shown[index]).toContain(readAs(formatPrice(price.price)));
    expect(links).toContain(calculation);
  }
});

test('a number is found whole, and not by its first digits', async () => {
  const of = await indexed({ questions: [question('number', '', 'Номер 4711')] });
  expect(['4711', '471'].map((number) => found(number, of))).toEqual([['/questions#number'], []]);
});

shippedTest('a search for several words returns pages with all of them, or pages with some if no page has all', () => {
  const [both, one] = ['упаковка хрупкого', 'упаковка'].map((query) => search(content, query));
  expect(both?.exact).toBe(true);
  expect(both?.matches.length).toBeLessThan(one?.matches.length ?? 0);
  const some = search(content, 'бижутерия паллета договор');
  expect([some.exact, some.matches.length > 0]).toEqual([false, true]);
});

shippedTest('a search for unknown words or no words returns nothing', () => {
  for (const query of ['xyzzy', 'фыва', 'кинескоп', '10007', '', '!?', 'ещё'])
    expect(search(content, query)).toEqual({ matches: [], meant: query, exact: true });
});

shippedTest('a synonym that an editor adds is found', async () => {
  const synonyms = [...content.search.synonyms, ['маркировка', 'кинескоп']];
  expect(found('кинескоп', await indexed({ search: { examples: [], synonyms } }))[0]).toBe('/services/marking');
});

test('results with the word in the title come first, ordered by the types that visitors look for most', async () => {
  const word = 'Кракозябра';
  const of = await indexed({
    questions: [question('in-text', '', `${word} ${'и так далее '.repeat(20)}`), question('in-title', word, '')],
    cases: content.cases.slice(0, 1).map((post) => ({ ...post, heading: word })),
    articles: content.articles.slice(0, 1).map((post) => ({ ...post, heading: word })),
  });
  const order = documents(word, of).map(({ documentType, path }) => path.split('#')[1] ?? documentType);
  expect(order).toEqual(['in-title', 'article', 'case', 'in-text']);
});

test('a search and the nearest pages work for any input', () => {
  const words = fc.constantFrom('упак', 'wb', '__proto__', 'constructor', '1 000', 'ё', "[hf'", '%', '\u0301');
  const query = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 100 }),
    fc.string({ unit: 'grapheme', maxLength: 100 }),
    fc.array(words).map((all) => all.join(' ')),
  );
  fc.assert(
    fc.property(query, (typed) => {
      for (const match of search(content, typed).matches.slice(0, 3)) resultOf(content, match);
      nearestPages(content, `/${typed}`);
    }),
    { numRuns: 100 },
  );
});

test('an index is prepared by the next request after a failure', async () => {
  let fails = true;
  const prepared = {
    ...content,
    get search() {
      if (fails) throw new Error('out of memory');
      return content.search;
    },
  };
  await expect(prepareIndex(prepared)).rejects.toThrow('out of memory');
  fails = false;
  await prepareIndex(prepared);
});

test('a search and a missing page wait for the index of a new site', async () => {
  const served = await shownSite({ at: new Date(site.served.until) });
  const fresh = await startTestSite({ site: served });
  const texts = ['/search?q=склад', '/rate'].map(async (path) => (await fresh.request(encodeURI(path))).text);
  expect(await Promise.all(texts)).toEqual([
    expect.stringContaining('Найдено страниц'),
    expect.stringContaining('class="error-nearest"'),
  ]);
});

test('every result has an existing address, and the index contains every page except home and search', () => {
  const views = addresses(content).flatMap(({ page, params }) => page.open(content, params, {}) ?? []);
  const known = new Map(views.map(({ head, body }) => [head.path, body]));
  const paths = searchDocuments(content).map(({ path }) => path);
  const nowhere = paths.filter((address) => {
    const [path = '', anchor] = address.split('#', 2);
    const body = known.get(path);
    return body === undefined || (anchor !== undefined && !renderToStaticMarkup(body).includes(` id="${anchor}"`));
  });
  expect([nowhere, new Set(paths).size]).toEqual([[], paths.length]);
  expect([...known.keys()].filter((path) => !paths.includes(path))).toEqual(['/', '/search']);
});

describe('/search', () => {
  const open = (query: Record<string, string>) => searchPage.open(content, {}, query);
  const page = (query: Record<string, string>) => parseHtml(renderToStaticMarkup(open(query)?.body));
  const hrefs = (document: ReturnType<typeof page>) => all(document, 'a').map(({ attrs }) => attrs.href);
  const typed = (document: ReturnType<typeof page>) => one(document, 'input[name="q"]').attrs.value;

  shippedTest('keeps the words, and lists the number of pages and ten results with their kinds', () => {
    const document = page({ q: '  упаковка   товара ' });
    const [first, ...more] = all(one(document, 'ol.search-results'), 'li');
    expect([typed(document), more.length]).toEqual(['упаковка товара', 9]);
    expect(readAs(one(document, 'h2.search-count'))).toMatch(/^Найдено страниц: \d+$/);
    expect(first && readAs(first)).toMatch(/^УслугаУпаковка товара/);
    expect(first && all(first, 'mark').map(readAs)).toContain('Упаковка');
    const second = page({ q: 'склад & товар', page: '2' });
    const address = `/search?q=${encodeURIComponent('склад & товар')}`;
    expect(hrefs(second)).toEqual(expect.arrayContaining([address, `${address}&page=3`]));
    expect(one(second, 'ol.search-results').attrs.start).toBe('11');
  });

  test.each<Record<string, string>>([{ q: 'склад', page: '99' }, { page: '2' }])('has no page %j', (query) => {
    expect(open(query)).toBeUndefined();
  });

  test('reads a hundred characters and says so', () => {
    const document = page({ q: `упаковка ${'х'.repeat(200)}` });
    expect(typed(document)).toHaveLength(100);
    expect(readAs(document)).toContain('искали по первым 100 знакам');
    expect(() => page({ q: `${'х'.repeat(99)}😀` })).not.toThrow();
  });

  shippedTest('shows a corrected query and links to it', () => {
    const document = page({ q: 'egfrjdrf' });
    expect(readAs(document)).toContain('Показываем «упаковка»');
    expect(hrefs(document)).toContain(`/search?q=${encodeURIComponent('упаковка')}`);
    expect(readAs(page({ q: 'фуллфилмент' }))).toContain('похожих страниц: ');
  });

  test('accepts a form without JavaScript and any bytes, and escapes the query', async () => {
    const at = async (query: string) => parseHtml((await site.request(`/search${query}`)).text);
    const document = await at('?q=%D0%A4%D0%91%D0%9E+%D0%BF%D0%BE%D1%81%D1%82%D0%B0%D0%B2%D0%BA%D0%B0');
    expect(typed(document)).toBe('ФБО поставка');
    expect(all(document, 'mark').length).toBeGreaterThan(0);
    const script = '"><script>alert(1)</script>';
    const hostile = await at(`?q=${encodeURIComponent(script)}`);
    expect(typed(hostile)).toBe(script);
    expect(all(hostile, 'script').map(({ text }) => text)).not.toContain('alert(1)');
    const odd = ['?q=%', '?q=%E0%A4%A', '?q=%00', '?q[]=a', '?q=a&q=b'];
    const statuses = await Promise.all(odd.map(async (query) => (await site.request(`/search${query}`)).status));
    expect(statuses).toEqual([200, 200, 200, 200, 404]);
  });
});

describe('the nearest pages to a missing address', () => {
  const nearest = (address: string) => nearestPages(content, address).map(({ path }) => path);
  const leads = (address: string, path: string) => expect(nearest(address)[0]).toBe(path);

  test.each([
    ['/rate', '/rates'],
    // One mistake in five characters.
    ['/blug', '/blog'],
    ['/tarify', '/rates'],
    ['/cases/999', '/cases'],
  ])('for %s start with %s', leads);

  shippedTest.each([
    ['/uslugi/upakovka', '/services/package'],
    ['/blog/articles/kak-schitat-litri', '/blog/articles/kak-schitat-litry'],
    [encodeURI('/упаковка'), '/services/package'],
  ])('for %s start with %s', leads);

  test('are absent when nothing is similar', () => {
    for (const address of ['/wp-login.php', '/', '', '/%E0%A4%A', `/${'a'.repeat(8000)}`])
      expect([address, nearest(address)]).toEqual([address, []]);
  });

  test('appear on the error page, and are absent when a proxy requests it for all addresses', async () => {
    const { text } = await site.request('/rate');
    one(parseHtml(text), 'nav.error-nearest a[href="/rates"]');
    const page = parseHtml(renderToStaticMarkup(errorView({ content, status: 404, path: '/' }).body));
    expect([all(page, 'nav').length, all(page, 'form[action="/search"]').length]).toEqual([0, 1]);
  });
});
