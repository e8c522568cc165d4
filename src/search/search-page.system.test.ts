import { describe, expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { errorView } from '../http/error.page.tsx';
import { limits } from '../http/limits.ts';
import { shippedTest } from '../testing/content.ts';
import { all, one, parseHtml, textOf } from '../testing/html.ts';
import { startTestSite } from '../testing/test-site.ts';

const site = await startTestSite();

const searchFor = (query: string) => site.request(`/search?q=${encodeURIComponent(query)}`);

describe('/search', () => {
  test('is prerendered without a query, and kept out of search engines with or without one', async () => {
    expect(site.served.find('/search')).toBeDefined();
    for (const { status, text } of [await site.request('/search'), await searchFor('упаковка')]) {
      expect([status, one(parseHtml(text), 'meta[name="robots"]').attrs.content]).toEqual([200, 'noindex']);
    }
    expect((await site.request('/sitemap.xml')).text).not.toContain('/search');
  });

  test('answers a query as a form without a script sends it', async () => {
    const { status, headers, text } = await site.request(
      '/search?q=%D0%A4%D0%91%D0%9E+%D0%BF%D0%BE%D1%81%D1%82%D0%B0%D0%B2%D0%BA%D0%B0',
    );
    const document = parseHtml(text);
    expect([status, headers['cache-control']]).toEqual([200, 'no-cache']);
    expect(one(document, 'input#search').attrs.value).toBe('ФБО поставка');
    expect(all(document, 'mark').map(textOf)).toContain('FBO');
  });

  test('takes whatever bytes come', async () => {
    for (const path of [
      '/search?q=%',
      '/search?q=%E0%A4%A',
      '/search?q=%00',
      '/search?q[]=a',
      `/search?q=${'%D1%8B'.repeat(200)}`,
    ]) {
      expect((await site.request(path)).status).toBe(200);
    }
    expect((await site.request('/search?q=a&q=b')).status).toBe(404);
    expect((await site.request(`${encodeURI('/search?q=склад')}&page=999`)).status).toBe(404);
  });

  test('puts nothing of the query into the page but as text', async () => {
    const { text } = await searchFor('"><script>alert(1)</script><img src=x onerror=alert(1)>');
    expect(text).not.toMatch(/<script>alert|<img src=x/);
    expect(() => parseHtml(text)).not.toThrow();
  });

  test('is limited, because each query costs something; without one it is not', async () => {
    const busy = await startTestSite({ site: site.served });
    for (let count = 0; count < limits.onDemand.limit; count++) await busy.request('/search?q=1');
    expect((await busy.request('/search?q=2')).status).toBe(429);
    expect((await busy.request('/search')).status).toBe(200);
  });
});

test('every page leads to it, and those that visitors come to for an address have its form', async () => {
  for (const path of ['/', '/map', '/rates', '/contact']) {
    const { text } = await site.request(path);
    expect([path, all(parseHtml(text), 'a[href="/search"]').length > 0]).toEqual([path, true]);
  }
  for (const path of ['/map', '/nowhere']) {
    const [form] = all(parseHtml((await site.request(path)).text), 'form[action="/search"]');
    expect(form && all(form, 'input[name="q"][type="search"]')).toHaveLength(1);
  }
});

describe('an address that does not exist', () => {
  const nearest = async (path: string) => {
    const list = all(parseHtml((await site.request(path)).text), 'nav.error-nearest')[0];
    return list ? all(list, 'a').map(({ attrs }) => attrs.href) : [];
  };

  shippedTest('proposes the pages nearest to it', async () => {
    expect((await nearest('/services/foto'))[0]).toBe('/services/photo');
    expect((await nearest('/uslugi/upakovka'))[0]).toBe('/services/package');
  });

  test('proposes nothing where nothing is near', async () => {
    expect(await nearest('/wp-login.php')).toEqual([]);
  });

  test('may be of any bytes and of any length', async () => {
    for (const path of ['/%D0%', '/%00%ff', `/${'%D1%8B'.repeat(1300)}`, '//', '/services/../%2e%2e', '/:/@;']) {
      expect((await site.request(path)).status).toBeGreaterThanOrEqual(300);
      expect((await site.request(path)).status).toBeLessThan(500);
    }
  });

  test('of which a web server in front tells by itself has a form, and proposes nothing', () => {
    const view = errorView({ content: site.services.site.content, status: 404, path: '/' });
    const page = parseHtml(renderToStaticMarkup(view.body));
    expect(all(page, 'nav')).toEqual([]);
    expect(all(page, 'form[action="/search"]')).toHaveLength(1);
  });
});
