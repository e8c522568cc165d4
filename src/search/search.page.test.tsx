import { describe, expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { shippedTest } from '../testing/content.ts';
import { all, type Element, one, parseHtml, textOf } from '../testing/html.ts';
import { shownSite } from '../testing/test-site.ts';
import { searchPage } from './search.page.tsx';

const content = (await shownSite()).content;

function open(query: Record<string, string>) {
  return searchPage.open(content, {}, query);
}

function page(query: Record<string, string>): Element {
  const view = open(query);
  if (view === undefined) throw new Error('There is no such page.');
  return parseHtml(renderToStaticMarkup(view.body));
}

const field = (document: Element) => one(document, 'input[name="q"]');

test.each<Record<string, string>>([{}, { q: '' }, { q: ' \n\u00A0' }])(
  'without words (%j) it is a form and services to begin with',
  (query) => {
    const document = page(query);
    expect(one(document, 'form').attrs).toMatchObject({ action: '/search' });
    expect(field(document).attrs).toMatchObject({ type: 'search', enterkeyhint: 'search', value: '' });
    expect(all(document, 'a').map(({ attrs }) => attrs.href)).toEqual(content.services.slice(0, 5).map(({ to }) => to));
    expect(textOf(document)).not.toMatch(/найдено|не нашлось/i);
  },
);

describe('with words it', () => {
  shippedTest('keeps them in the field, says how many pages there are, and what each is', () => {
    const document = page({ q: '  упаковка   товара ' });
    expect(field(document).attrs.value).toBe('упаковка товара');
    expect(textOf(one(document, 'h2.search-count'))).toMatch(/^Найдено страниц: \d+$/);
    const results = all(one(document, 'ol.search-results'), 'li');
    expect(results).toHaveLength(10);
    expect(textOf(results[0] as Element)).toMatch(/^УслугаУпаковка товара/);
    expect(all(results[0] as Element, 'mark').map(textOf)).toContain('Упаковка');
  });

  shippedTest('shows ten a page, each page with links that keep the words', () => {
    const second = page({ q: 'склад & товар', page: '2' });
    const links = all(one(second, 'nav[aria-label="Страницы списка"]'), 'a').map(({ attrs }) => attrs.href);
    const address = `/search?q=${encodeURIComponent('склад & товар')}`;
    expect(links).toContain(address);
    expect(links).toContain(`${address}&page=3`);
    expect(one(second, 'ol.search-results').attrs.start).toBe('11');
    expect(open({ q: 'склад & товар', page: '2' })?.head).toMatchObject({
      path: `${address}&page=2`,
      previous: address,
      next: `${address}&page=3`,
      noindex: true,
    });
  });

  test('has no page past the last, nor one that is no number', () => {
    expect(open({ q: 'фотосъёмка', page: '99' })).toBeUndefined();
    expect(open({ q: 'фотосъёмка', page: '0' })).toBeUndefined();
    expect(open({ q: 'xyzzy', page: '2' })).toBeUndefined();
    expect(open({ page: '2' })).toBeUndefined();
  });

  test('reads a hundred characters and says so', () => {
    const document = page({ q: `упаковка ${'х'.repeat(200)}` });
    expect(field(document).attrs.value).toHaveLength(100);
    expect(textOf(document)).toContain('искали по первым 100 знакам');
    expect(textOf(page({ q: 'х'.repeat(100) }))).not.toContain('первым');
    expect(() => page({ q: `${'х'.repeat(99)}😀` })).not.toThrow();
  });

  shippedTest('says what it took for what, and leads to it', () => {
    const document = page({ q: 'egfrjdrf' });
    expect(textOf(document)).toContain('Показываем «упаковка»');
    expect(all(document, 'a').map(({ attrs }) => attrs.href)).toContain(`/search?q=${encodeURIComponent('упаковка')}`);
    expect(textOf(page({ q: 'фуллфилмент' }))).toContain('похожих страниц: ');
  });

  test('that the site does not have says so, and offers services, the form and the phone', () => {
    const document = page({ q: 'xyzzy' });
    expect(textOf(document)).toContain('По запросу «xyzzy» ничего не нашлось');
    const links = all(document, 'a').map(({ attrs }) => attrs.href);
    expect(links).toEqual(
      expect.arrayContaining([
        content.services[0]?.to,
        '/contact?preset=question',
        `tel:${content.company.tollFree.number}`,
      ]),
    );
  });

  test('shows HTML as the text that it is', () => {
    const document = page({ q: '<script>alert(1)</script>"упаковка' });
    expect(all(document, 'script')).toEqual([]);
    expect(field(document).attrs.value).toBe('<script>alert(1)</script>"упаковка');
  });
});
