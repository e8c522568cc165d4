import { beforeAll, describe, expect, test } from '@jest/globals';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { NavigationLink } from './design/layout/navigation-link.tsx';
import { type Content, legalNames, wordsOf } from './model/content.ts';
import { addresses, isLimited, routes, sections } from './routes.ts';
import { siteUrl } from './testing/built.ts';
import { otherContent } from './testing/content.ts';
import { all, type Element, one, parseHtml, textOf } from './testing/html.ts';
import { templates } from './testing/pages.ts';
import { shownSite, siteOf, startTestSite, type TestSite } from './testing/test-site.ts';

let site: TestSite;
let content: Content;
/** Every page, and the second pages of lists, by path. */
const pages = new Map<string, Element>();

async function open(path: string): Promise<Element> {
  const { status, text } = await site.request(path);
  if (status !== 200) throw new Error(`${path} answered ${status}.`);
  try {
    return parseHtml(text);
  } catch (error) {
    throw new Error(`${path} is no proper HTML.`, { cause: error });
  }
}

function page(path: string): Element {
  const found = pages.get(path);
  if (found === undefined) throw new Error(`${path} is no page of the site.`);
  return found;
}

function longLists(): Map<string, number> {
  const { articles, reviews, cases, news, categories } = content;
  const lengths = [
    ['/cases', cases.length],
    ['/reviews', reviews.length],
    ['/blog', articles.length],
    ['/about/novosti', news.length],
    ...categories.blog.map(({ slug }) => [`/blog/${slug}`, articles.filter((one) => one.category === slug).length]),
    ...categories.reviews.map(({ slug }) => [
      `/reviews/${slug}`,
      reviews.filter((one) => one.category === slug).length,
    ]),
  ] as const;
  return new Map(lengths.map(([path, length]) => [String(path), Math.max(1, Math.ceil(Number(length) / 10))] as const));
}

function laterPages(): string[] {
  return [...longLists()].flatMap(([path, count]) =>
    Array.from({ length: count - 1 }, (_, index) => `${path}?page=${index + 2}`),
  );
}

function faults(wrong: (document: Element, path: string) => unknown): string[] {
  return [...pages].flatMap(([path, document]) => {
    const found = wrong(document, path);
    const nothing = found === undefined || found === false || (Array.isArray(found) && found.length === 0);
    return nothing ? [] : [`${path}: ${JSON.stringify(found)}`];
  });
}

function link(document: Element, rel: string): string | undefined {
  return all(document, `link[rel="${rel}"]`)[0]?.attrs.href;
}

function meta(document: Element, name: string): string | undefined {
  return (all(document, `meta[name="${name}"]`)[0] ?? all(document, `meta[property="${name}"]`)[0])?.attrs.content;
}

function entriesOf(list: Element): { to: string | undefined; text: string }[] {
  return all(list, 'li').flatMap((item) => {
    const [entry] = item.children;
    if (entry === undefined || !['a', 'span'].includes(entry.localName)) return [];
    return [{ to: entry.attrs.href, text: textOf(entry) }];
  });
}

function dropdown(document: Element, name: string): { to: string | undefined; text: string }[] {
  const bar = one(document, 'nav[aria-label="Основная навигация"]');
  const found = all(bar, 'details').filter((details) => textOf(one(details, 'summary')) === name);
  expect(found).toHaveLength(1);
  return entriesOf(found[0] as Element);
}

describe('the table of routes', () => {
  test('has no page that the tests of every kind of page leave out', async () => {
    const shown = new Set<string>(templates);
    const pages = addresses((await shownSite()).content)
      .filter(({ path }) => shown.has(path))
      .map(({ page }) => page.name);
    expect(routes.map(({ name }) => name).filter((name) => !pages.includes(name))).toEqual([]);
  });

  test('has the routes that others rely on', () => {
    expect(routes.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        '/',
        '/rates',
        '/rates/calc',
        '/cargo',
        '/cases',
        '/cases/:id',
        '/reviews',
        '/reviews/:category',
        '/blog',
        '/blog/:category',
        '/blog/:category/:id',
        '/contacts',
        '/about',
        '/about/novosti',
        '/about/novosti/:id',
        '/compliance',
        '/questions',
        '/map',
        '/policy',
        '/useragree',
        '/services/:slug',
        '/consent',
        '/search',
      ]),
    );
  });

  test('what a visitor can ask for in many ways stands behind the limit, and nothing else', () => {
    const limited = (path: string) => routes.filter((page) => page.path === path).map(isLimited);
    expect(limited('/rates')).toEqual([false]);
    expect(limited('/cases')).toEqual([true]);
    expect(limited('/services/:slug')).toEqual([true]);
  });
});

const contents = [
  ['the content that ships', shownSite],
  // Its share pictures are painted on request.
  ['the content of another company', () => siteOf({ files: otherContent() })],
] as const;

describe.each(contents)('with %s', (_, make) => {
  const painted = make === shownSite;

  beforeAll(async () => {
    site = await startTestSite({ site: await make() });
    content = site.services.site.content;
    pages.clear();
    for (const path of [...site.served.paths, ...laterPages()]) pages.set(path, await open(path));
  });

  test('every address of every route is a page of the site', () => {
    expect(site.served.paths.toSorted()).toEqual(
      addresses(content)
        .map(({ path }) => path)
        .sort(),
    );
  });

  describe('every page', () => {
    test('says what it is in its heading', () => {
      const worded = sections.map(({ name, to }) => [to, wordsOf(content, name)] as const);
      const legal = legalNames.map((name) => [`/${name}`, content.legal[name]] as const);
      const headings = [...worded, ...legal].filter(([path]) => path !== '/contact');
      const shown = headings.map(([path]) => [path, textOf(one(page(path), 'h1'))]);
      expect(shown).toEqual(headings.map(([path, { heading }]) => [path, textOf(heading)]));
    });

    test('/ is the home page of the company', () => {
      expect(textOf(page('/'))).toContain(content.company.name);
      expect(all(page('/'), 'nav[aria-label="Путь к странице"]')).toHaveLength(0);
    });

    test('a service shows its heading, its subheading, and the prices of all its groups', () => {
      expect(content.services.length).toBeGreaterThan(0);
      for (const service of content.services) {
        const main = one(page(service.to), 'main');
        expect(textOf(one(main, 'h1'))).toBe(textOf(service.heading));
        expect(textOf(main)).toContain(textOf(service.subheading));
        const prices = content.rates.groups.filter(({ id }) => service.rates.includes(id));
        const ids = all(main, 'td')
          .concat(all(main, 'tr'))
          .flatMap(({ attrs }) => attrs.id ?? []);
        expect(ids.sort()).toEqual(prices.flatMap(({ rows }) => rows.map(({ id }) => id)).sort());
      }
    });
  });

  describe('what is addressed by id and by slug', () => {
    const both = () => [
      ...content.cases.map(({ id, slug, heading }) => ({ list: '/cases', id, slug, heading })),
      ...content.articles.map(({ category, id, slug, heading }) => ({ list: `/blog/${category}`, id, slug, heading })),
      ...content.news.map(({ id, slug, heading }) => ({ list: '/about/novosti', id, slug, heading })),
    ];

    test('is the same page at both addresses, and its slug is the canonical one', () => {
      expect(both().length).toBeGreaterThan(0);
      for (const { list, id, slug, heading } of both()) {
        for (const path of [`${list}/${id}`, `${list}/${slug}`]) {
          expect(textOf(one(page(path), 'h1'))).toBe(textOf(heading));
          expect(link(page(path), 'canonical')).toBe(`${siteUrl}${list}/${slug}`);
          expect(meta(page(path), 'og:url')).toBe(`${siteUrl}${list}/${slug}`);
        }
      }
    });

    test('the sitemap lists the canonical address and no other', async () => {
      const { text } = await site.request('/sitemap.xml');
      const listed = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address);
      const canonical = [...site.served.paths].filter((path) => link(page(path), 'canonical') === siteUrl + path);
      expect(listed.sort()).toEqual(canonical.map((path) => siteUrl + path).sort());
      for (const { list, id } of both()) expect(listed).not.toContain(`${siteUrl}${list}/${id}`);
    });

    test('an article of another category, an unknown id and an unknown slug are fatal 404s', async () => {
      const [article] = content.articles;
      const other = content.categories.blog.find(({ slug }) => slug !== article?.category)?.slug;
      const wrong = [
        `/blog/${other}/${article?.slug}`,
        `/blog/${other}/${article?.id}`,
        `/blog/${article?.category}/999999`,
        '/blog/nothing',
        '/blog/nothing/1',
        '/cases/nothing',
        '/cases/0',
        '/reviews/nothing',
        '/about/novosti/nothing',
        '/services/nothing',
        '/cases/constructor',
        '/services/__proto__',
      ];
      for (const path of wrong) {
        const { status, text } = await site.request(path, { headers: { accept: 'application/json' } });
        expect({ path, status, ...JSON.parse(text) }).toEqual({
          path,
          status: 404,
          statusCode: 404,
          message: `Page Not Found: ${path}`,
          fatal: true,
        });
      }
    });
  });

  describe('pagination', () => {
    test('of ten items a page, at most five buttons, and neighbours named', () => {
      for (const [path, count] of longLists()) {
        for (let number = 1; number <= count; number++) {
          const address = number === 1 ? path : `${path}?page=${number}`;
          const document = page(address);
          const at = (other: number) => (other === 1 ? path : `${path}?page=${other}`);
          expect(link(document, 'canonical')).toBe(siteUrl + address);
          expect(link(document, 'prev')).toBe(number > 1 ? siteUrl + at(number - 1) : undefined);
          expect(link(document, 'next')).toBe(number < count ? siteUrl + at(number + 1) : undefined);
          const navigation = all(document, 'nav[aria-label="Страницы списка"]');
          expect(navigation).toHaveLength(count > 1 ? 1 : 0);
          if (count === 1) continue;
          const entries = all(navigation[0] as Element, 'li');
          const buttons = entries.filter((entry) => all(entry, 'a[rel]').length === 0);
          expect(buttons.length).toBeLessThanOrEqual(5);
          expect(textOf(one(navigation[0] as Element, 'span[aria-current="page"]'))).toBe(String(number));
          expect(all(navigation[0] as Element, 'a').map((one) => one.attrs.href)).toEqual([
            ...(number > 1 ? [at(number - 1)] : []),
            ...buttons.map((_, index) => at(index + 1)).filter((one) => one !== at(number)),
            ...(number < count ? [at(number + 1)] : []),
          ]);
        }
      }
    });

    test('shows every item once, ten a page', () => {
      for (const [path, items] of [
        ['/cases', content.cases.map(({ slug }) => `/cases/${slug}`)],
        ['/blog', content.articles.map(({ category, slug }) => `/blog/${category}/${slug}`)],
        ['/about/novosti', content.news.map(({ slug }) => `/about/novosti/${slug}`)],
      ] as const) {
        const list = [...pages].filter(([address]) => address.replace(/\?.*/, '') === path);
        const shown = list.map(([, document]) =>
          all(one(document, 'main'), 'a').flatMap(({ attributes: { href = '' } }) =>
            items.includes(href) ? [href] : [],
          ),
        );
        expect(shown.flat()).toEqual(items);
        expect(shown.slice(0, -1).map(({ length }) => length)).toEqual(shown.slice(1).map(() => 10));
      }
    });

    test.each(['0', 'abc', '01', '-1', '1.5', '', '99999999999999999999', '2&page=2', '1&page=1'])(
      '?page=%s is a fatal 404',
      async (number) => {
        for (const path of longLists().keys()) {
          const { status, text } = await site.request(`${path}?page=${number}`, {
            headers: { accept: 'application/json' },
          });
          expect([status, JSON.parse(text)]).toEqual([
            404,
            { statusCode: 404, message: `Page Not Found: ${path}?page=${number}`, fatal: true },
          ]);
        }
      },
    );

    test('a page past the end is a fatal 404', async () => {
      for (const [path, count] of longLists()) {
        const headers = { accept: 'application/json' };
        const { status, text } = await site.request(`${path}?page=${count + 1}`, { headers });
        expect(status).toBe(404);
        expect(text).toContain(`Page Not Found: ${path}?page=${count + 1}`);
      }
    });

    test('?page=1 leads for good to the address without it, other parameters kept', async () => {
      for (const path of longLists().keys()) {
        const first = await site.request(`${path}?page=1`);
        expect([first.status, first.headers.location]).toEqual([301, path]);
        const campaign = await site.request(`${path}?utm_source=ya&page=1`);
        expect([campaign.status, campaign.headers.location]).toEqual([301, `${path}?utm_source=ya`]);
      }
    });

    test('a page that is no list takes no notice of ?page', async () => {
      const { status, body } = await site.request('/rates?page=7');
      expect(status).toBe(200);
      expect(body.equals((await site.request('/rates')).body)).toBe(true);
    });
  });

  describe('navigation', () => {
    const texts = (entries: readonly { to: string; text: string }[]) =>
      entries.map(({ to, text }) => ({ to, text: textOf(text) }));

    test('each list leads where editors have said, in their order', () => {
      const menus = content.navigation.header.filter(({ pages }) => pages);
      expect(menus).not.toHaveLength(0);
      for (const { text, pages = [] } of menus) expect(dropdown(page('/'), textOf(text))).toEqual(texts(pages));
    });

    test('the bar holds the entries besides those of the lists, and the search', () => {
      const bar = one(page('/'), 'nav[aria-label="Основная навигация"]');
      const inside = new Set(all(bar, 'details').flatMap((details) => all(details, 'a')));
      const entries = all(bar, 'a').filter((entry) => !inside.has(entry));
      expect(entries.map(({ attrs }) => attrs.href)).toEqual([
        ...content.navigation.header.flatMap(({ to }) => to ?? []),
        '/search',
      ]);
    });

    test('the burger repeats the bar and adds the social links', () => {
      const bar = one(page('/'), 'nav[aria-label="Основная навигация"]');
      const burger = one(page('/'), 'details[data-module="burger"]');
      expect(entriesOf(one(burger, 'nav'))).toEqual(entriesOf(bar));
      const links = all(burger, 'a').map(({ attrs }) => attrs.href);
      for (const { href } of content.company.social) expect(links).toContain(href);
    });

    test('the footer lists all services, what editors add to them, and how to reach the company', () => {
      const footer = one(page('/'), 'footer');
      expect(entriesOf(one(footer, 'nav')).map(({ to }) => to)).toEqual(
        [...content.services, ...content.navigation.footer].map(({ to }) => to),
      );
      const text = textOf(footer);
      const { phone, address, email } = content.company;
      const words = [phone.text, address.street, address.locality, email].map((word) => textOf(word));
      for (const one of words) expect(text).toContain(one);
      const links = all(footer, 'a').map(({ attrs }) => attrs.href);
      expect(links).toContain(`mailto:${content.company.email}`);
      for (const { href } of content.company.social) expect(links).toContain(href);
    });

    test('the header says when the broadcast begins, and calls the toll-free number', () => {
      const header = one(page('/'), 'header');
      const words = textOf(content.company.broadcast);
      expect(all(header, 'a[href="/broadcast"]').map(textOf)).toEqual([words, words]);
      expect(all(header, 'a').map(({ attrs }) => attrs.href)).toContain(`tel:${content.company.tollFree.number}`);
      expect(content.company.tollFree.number).not.toBe(content.company.phone.number);
    });

    test('shows the entry of the current page as plain text, and every other entry as a link', () => {
      const lists = (document: Element) => [
        one(document, 'nav[aria-label="Основная навигация"]'),
        one(document, 'nav[aria-label="Меню"]'),
        one(one(document, 'footer'), 'nav'),
      ];
      const whole = lists(page('/')).map(entriesOf);
      const seen = new Set<string>();
      for (const [address, document] of pages) {
        const path = address.replace(/\?.*/, '');
        lists(document).forEach((list, index) => {
          const entries = (whole[index] ?? []).map(({ to, text }) => ({ to: to === path ? undefined : to, text }));
          expect([address, entriesOf(list)]).toEqual([address, entries]);
          const current = all(list, 'span[aria-current="page"]').map(textOf);
          expect([address, current]).toEqual([address, entries.filter(({ to }) => !to).map(({ text }) => text)]);
          if (current.length > 0) seen.add(path);
        });
      }
      expect([...seen].sort()).toEqual([...new Set(whole.flat().map(({ to }) => to))].sort());
    });

    test('keeps every link on a path that contains /articles/', () => {
      const entry = (path: string) =>
        renderToStaticMarkup(createElement(NavigationLink, { to: path, text: 'Статья', path }));
      expect(entry('/blog/articles/fbo')).toBe('<a href="/blog/articles/fbo">Статья</a>');
      expect(entry('/blog/news/fbo')).toBe('<span aria-current="page">Статья</span>');
    });

    test('breadcrumbs lead from the home page to the page itself', () => {
      expect(
        faults((document, path) => {
          if (path === '/') return undefined;
          const items = all(one(document, 'nav[aria-label="Путь к странице"]'), 'li');
          const links = items.map((item) => all(item, 'a')[0]?.attrs.href);
          const wrong =
            links[0] !== '/' || links.at(-1) !== undefined || links.slice(0, -1).some((to) => !pages.has(to ?? ''));
          return wrong && links;
        }),
      ).toEqual([]);
      const [article] = content.articles;
      const list = `/blog/${article?.category}`;
      const crumbs = one(page(`${list}/${article?.slug}`), 'nav[aria-label="Путь к странице"]');
      expect(all(crumbs, 'a').map(({ attrs }) => attrs.href)).toEqual(['/', '/blog', list]);
      expect(textOf(one(crumbs, 'span[aria-current="page"]'))).toBe(textOf(article?.heading ?? ''));
    });
  });

  describe('every page, without exception', () => {
    test('is in Russian and has one h1, one main landmark, header, footer and a skip link that comes first', () => {
      expect(
        faults((document) => {
          const html = one(document, 'html');
          const body = one(html, 'body');
          const [first] = body.children;
          const counts = ['h1', 'main', 'header', 'footer'].filter((name) => {
            const found = all(body, name).filter(({ attrs }) => name !== 'header' || attrs.class === 'site-header');
            return found.length !== 1;
          });
          const skips = first?.attrs.href === '#main' && one(document, 'main').attrs.id === 'main';
          return counts.length > 0 || !skips || html.attrs.lang !== 'ru' ? { counts, skips } : undefined;
        }),
      ).toEqual([]);
    });

    test('has a title, a description, a canonical address and Open Graph', () => {
      expect(
        faults((document, path) => {
          // Search pages are noindex.
          if (path === '/search') return meta(document, 'robots') !== 'noindex';
          const title = one(document, 'title').text;
          const description = meta(document, 'description') ?? '';
          return [
            ...(title.length < 10 ? ['title'] : []),
            ...(description.length < 50 ? ['description'] : []),
            ...(link(document, 'canonical')?.startsWith(`${siteUrl}/`) ? [] : ['canonical']),
            ...(meta(document, 'og:title') === title ? [] : ['og:title']),
            ...(meta(document, 'og:description') === description ? [] : ['og:description']),
            ...(meta(document, 'og:url') === link(document, 'canonical') ? [] : ['og:url']),
            ...(meta(document, 'og:image')?.startsWith(`${siteUrl}/share/`) ? [] : ['og:image']),
            ...(['website', 'article'].includes(meta(document, 'og:type') ?? '') ? [] : ['og:type']),
            ...(meta(document, 'og:locale') === 'ru_RU' ? [] : ['og:locale']),
            ...(meta(document, 'robots') === 'max-image-preview:large' ? [] : ['robots']),
            ...(path.includes('?') || meta(document, 'og:site_name') ? [] : ['og:site_name']),
          ];
        }),
      ).toEqual([]);
    });

    test('has a title and a description of its own', () => {
      const canonical = [...pages].filter(([path, document]) => link(document, 'canonical') === siteUrl + path);
      const titles = canonical.map(([, document]) => textOf(one(document, 'title')));
      expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
      const firstPages = canonical.filter(([path]) => !path.includes('?'));
      const descriptions = firstPages.map(([, document]) => meta(document, 'description'));
      expect(descriptions.filter((one, index) => descriptions.indexOf(one) !== index)).toEqual([]);
    });

    test('shows the share picture that exists', async () => {
      const address = meta(page('/'), 'og:image')?.slice(siteUrl.length) ?? '';
      const { status, headers } = await site.request(address);
      if (painted) expect([status, headers['content-type']]).toEqual([200, 'image/png']);
      else expect(status).toBe(503);
    });

    test('executes nothing inline: one module, data, no handler, no style attribute, one style block', () => {
      expect(
        faults((document) => [
          ...all(document, 'script').flatMap(({ attributes: { type, src } }) =>
            type === 'application/ld+json' || (type === 'module' && src?.startsWith('/assets/')) ? [] : ['script'],
          ),
          ...all(document, '*').flatMap(({ attrs }) => Object.keys(attrs).filter((name) => /^(on|style$)/.test(name))),
          ...all(document, 'a').flatMap(({ attrs }) => (/^\s*javascript:/i.test(attrs.href ?? '') ? ['href'] : [])),
          ...(all(document, 'style').length === 1 ? [] : ['style']),
        ]),
      ).toEqual([]);
    });

    test('says the size of every picture, and what every table is about', () => {
      expect(
        faults((document) =>
          all(document, 'img').flatMap(({ attributes: { width, height, src } }) =>
            !Number(width) || !Number(height) ? [src] : [],
          ),
        ),
      ).toEqual([]);
      expect(
        faults((document) => {
          const named = all(document, 'section[aria-label]').flatMap((section) => all(section, 'table'));
          return all(document, 'table').filter((table) => !named.includes(table) && all(table, 'caption').length !== 1);
        }),
      ).toEqual([]);
    });

    test('leads nowhere in vain: every link, picture, icon and fragment exists', async () => {
      const wanted = new Map<string, string>();
      for (const [path, document] of pages) {
        const found = [
          ...all(document, 'a[href]').map(({ attrs }) => attrs.href),
          ...all(document, 'link[href]').map(({ attrs }) => attrs.href),
          ...all(document, '[src]').map(({ attrs }) => attrs.src),
          ...all(document, 'form').map(({ attrs }) => attrs.action),
          ...(painted ? [meta(document, 'og:image')] : []),
        ];
        for (const address of found) {
          const url = new URL(address ?? '', siteUrl + path);
          if (url.origin === siteUrl) wanted.set(url.href.slice(siteUrl.length), path);
          else expect(['tel:', 'mailto:', 'https:']).toContain(url.protocol);
        }
      }
      expect(wanted.size).toBeGreaterThan(10);
      const broken: string[] = [];
      const answers = new Map<string, { status: number; ids: Set<string> }>();
      for (const [address, from] of wanted) {
        const [path = '', fragment] = address.split('#');
        let answer = answers.get(path);
        if (answer === undefined) {
          const { status, headers, text } = await site.request(path);
          const html = headers['content-type']?.startsWith('text/html') ? text : '';
          answer = { status, ids: new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id)) };
          answers.set(path, answer);
        }
        if (![200, 301].includes(answer.status)) broken.push(`${from} -> ${address}: ${answer.status}`);
        else if (fragment && !answer.ids.has(decodeURIComponent(fragment)))
          broken.push(`${from} -> ${address}: no such id`);
      }
      expect(broken).toEqual([]);
    });

    test('links to another site say nothing of where they stand', () => {
      const outside = (document: Element) =>
        all(document, 'a').filter(
          ({ attributes: { href = '' } }) => /^https?:/.test(href) && !href.startsWith(siteUrl),
        );
      expect([...pages.values()].flatMap(outside).length).toBeGreaterThan(0);
      expect(faults((document) => outside(document).filter(({ attrs }) => attrs.rel !== 'noopener'))).toEqual([]);
    });
  });

  describe('addresses that editors have moved', () => {
    test('every row of the table of redirects is in the manifest', async () => {
      const { text } = await site.request(`/builds/meta/${site.served.id}.json`);
      const { static: exact, wildcard } = JSON.parse(text).matcher;
      for (const { from, to } of content.redirects.filter(({ from }) => !from.includes('?'))) {
        const rule = from.endsWith('/*') ? wildcard[from.slice(0, -2)] : exact[from];
        expect([from, rule]).toEqual([from, { redirect: to }]);
      }
    });

    test('every row of the table of redirects leads to a page, in one step', async () => {
      for (const { from, to } of content.redirects) {
        const address = encodeURI(from.replace(/\*$/, 'anything'));
        const mark = address.includes('?') ? '&' : '?';
        const { status, headers } = await site.request(`${address}${mark}utm_source=ya`);
        expect([from, status, headers.location]).toEqual([from, 301, `${to}?utm_source=ya`]);
        expect((await site.request(to)).status).toBe(200);
      }
    });
  });
});
