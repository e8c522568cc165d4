import { beforeAll, describe, expect, test } from '@jest/globals';
import { localTime } from '../lib/calendar.ts';
import type { Content } from '../model/content.ts';
import { postPages } from '../model/post-kinds.ts';
import { routes } from '../routes.ts';
import { payloadPath } from '../site/page-table.ts';
import { buildTiming } from '../site/response.ts';
import { speculationRules } from '../site/speculation-rules.ts';
import type { HttpAnswer } from './support/ask.ts';
import { siteUrl } from './support/built.ts';
import { all, type Element, one, parseHtml, textOf } from './support/html.ts';
import { unprotected } from './support/protection.ts';
import { contentShips, otherContent } from './support/sample-content.ts';
import { onDemand } from './support/sample-pages.ts';
import { filledForm, shownSite, startTestSite, type TestSite } from './support/test-site.ts';

type Page = HttpAnswer & { path: string; document: Element };
type Thing = Readonly<Record<string, unknown>>;

/** Page addresses that visitors, bookmarks and other sites know. */
const known =
  '/ /rates /rates/calc /cargo /services/:slug /cases /cases/:id /reviews /reviews/:category /blog /blog/:category ' +
  '/blog/:category/:id /about /about/novosti /about/novosti/:id /contacts /compliance /questions /map /search /policy ' +
  '/useragree /consent';

test('every known page address still has a route', () => {
  expect(routes.map(({ path }) => path)).toEqual(expect.arrayContaining(known.split(' ')));
});

/**
 * Properties that Google (developers.google.com/search/docs/appearance/structured-data) and Yandex
 * (yandex.ru/support/webmaster, yandex.ru/support/video/partners/schema-org) require or recommend; `a|b` means either.
 * The site has no ratings, which Google wants on reviews.
 */
const required: Readonly<Record<string, string>> = {
  Organization: 'name telephone logo|address',
  LocalBusiness: 'name url logo image telephone address geo openingHoursSpecification sameAs',
  PostalAddress: 'streetAddress addressLocality postalCode addressCountry',
  GeoCoordinates: 'latitude longitude',
  OpeningHoursSpecification: 'dayOfWeek opens closes',
  WebSite: 'name url publisher',
  Article: 'headline image datePublished dateModified author publisher mainEntityOfPage',
  CreativeWork: 'name url',
  Person: 'name',
  ImageObject: 'contentUrl',
  VideoObject:
    'name description thumbnailUrl uploadDate duration contentUrl|embedUrl url thumbnail isFamilyFriendly transcript',
};
const addressing = 'url image logo thumbnailUrl contentUrl embedUrl hasMap sameAs mainEntityOfPage'.split(' ');

const bar = 'nav[aria-label="Основная навигация"]';
const way = 'nav[aria-label="Путь к странице"]';
const numbers = 'nav[aria-label="Страницы списка"]';

function meta(document: Element, name: string): string | undefined {
  return document.querySelector(`meta[name="${name}"], meta[property="${name}"]`)?.attrs.content;
}

const link = (document: Element, rel: string) => document.querySelector(`link[rel="${rel}"]`)?.attrs.href;
const linksOf = (part: Element) => all(part, 'a').map(({ attrs }) => attrs.href ?? '');

/** Returns the names of claims that are false. */
const failing = (claims: Readonly<Record<string, unknown>>) => Object.keys(claims).filter((name) => !claims[name]);

function graphOf(document: Element): Thing[] {
  return all(document, 'script[type="application/ld+json"]').flatMap((script) => JSON.parse(script.rawText)['@graph']);
}

/** Returns every described thing, including nested ones. */
function thingsIn(value: unknown): Thing[] {
  if (typeof value !== 'object' || value === null) return [];
  return [...('@type' in value ? [value as Thing] : []), ...Object.values(value).flatMap(thingsIn)];
}

const isIndexed = ({ document }: Page) => !/\b(noindex|none)\b/.test(meta(document, 'robots') ?? '');

const contents = [
  { of: 'the content that ships', make: shownSite, painted: true },
  // The share pictures of this content are painted on request.
  { of: 'another company', make: () => shownSite({ files: otherContent() }), painted: false },
];

describe.each(contents)('with $of', ({ make, painted }) => {
  let site: TestSite;
  let content: Content;
  /** All prerendered pages, and one of each kind that is rendered for one visitor. */
  const pages = new Map<string, Page>();

  beforeAll(async () => {
    site = await startTestSite({ site: await make() });
    content = site.services.site.content;
    const add = (path: string, answer: HttpAnswer) => {
      const page = { ...answer, path, document: parseHtml(answer.text) };
      pages.set(path, page);
      return page;
    };
    const paths = [...site.served.paths];
    for (const path of paths) {
      const next = link(add(path, await site.request(path)).document, 'next');
      if (next) paths.push(next.slice(siteUrl.length));
    }
    const receipt = (await site.post(filledForm)).headers.location ?? '';
    const forms = content.presets.map(({ slug }) => `/contact?preset=${slug}`);
    for (const path of [onDemand, '/search?q=1', ...forms, receipt, '/broadcast', '/nowhere', '/cases/nothing', '/%zz'])
      add(path, await site.request(path));
    add('/contact?refused', await site.post({ preset: filledForm.preset }));
  });

  const page = (path: string): Element => {
    const found = pages.get(path);
    if (found === undefined) throw new Error(`${path} is no page of the site.`);
    return found.document;
  };
  const indexed = () => [...pages.values()].filter(isIndexed);
  const canonical = () => indexed().filter(({ path, document }) => link(document, 'canonical') === siteUrl + path);

  /** @param wrong returns the faults of a page */
  function every(what: string, wrong: (page: Page) => readonly unknown[], among?: (page: Page) => boolean) {
    test(`every page ${what}`, () => {
      const asked = [...pages.values()].filter((page) => among?.(page) ?? true);
      expect(asked).not.toEqual([]);
      expect(asked.flatMap((page) => wrong(page).map((fault) => `${page.path}: ${fault}`))).toEqual([]);
    });
  }

  every('has a header, a footer, one main part with a skip link to it, and only light colours', ({ document }) => {
    const [first] = one(document, 'body').children;
    return failing({
      language: one(document, 'html').attrs.lang === 'ru',
      ...Object.fromEntries(
        ['h1', 'main#main', 'header.site-header', 'footer.site-footer'].map((part) => [
          part,
          all(document, part).length === 1,
        ]),
      ),
      main: all(document, 'main').length === 1,
      skips: first?.attrs.href === '#main',
      light: meta(document, 'color-scheme') === 'only light',
    });
  });

  every('has unique ids, and every SVG shape that it uses', ({ document }) => {
    const ids = all(document, '[id]').map(({ id }) => id);
    const shapes = all(document, 'use').map(({ attrs }) => (attrs.href ?? '').slice(1));
    return [...ids.filter((id, at) => ids.indexOf(id) < at), ...shapes.filter((shape) => !ids.includes(shape))];
  });

  every('has security headers, its build id and speculation rules', (page) => [
    ...unprotected(page),
    ...failing({
      style: all(page.document, 'style').length === 1,
      build: page.headers['server-timing'] === buildTiming(site.served.id),
      ahead: textOf(one(page.document, 'script[type="speculationrules"]')) === speculationRules,
    }),
  ]);

  every('gives the size of every picture and a name to every table', ({ document }) => [
    ...all(document, 'img').filter(({ attrs }) => !Number(attrs.width) || !Number(attrs.height)),
    ...all(document, 'table').filter(
      (table) =>
        all(table, 'caption').length !== 1 &&
        !table.attrs['aria-label'] &&
        table.closest('section[aria-label]') === null,
    ),
  ]);

  every(
    'links to other sites over https with rel=noopener',
    ({ document }) =>
      all(document, 'a').filter(({ attrs: { href = '', rel } }) => {
        const { protocol, origin } = new URL(href, siteUrl);
        const isOutside = origin !== siteUrl && !['tel:', 'mailto:'].includes(protocol);
        return isOutside && (protocol !== 'https:' || rel !== 'noopener');
      }),
    isIndexed,
  );

  const entriesOf = (list: Element) =>
    all(list, 'li > a, li > span').map((entry) => ({ to: entry.attrs.href, text: textOf(entry) }));
  const navigations = (document: Element) =>
    [bar, 'nav[aria-label="Меню"]', 'footer nav'].map((list) => entriesOf(one(document, list)));

  every('has phone links that call the number they show', ({ document }) =>
    all(document, 'a[href^="tel:"]').flatMap(({ attrs, text }) => {
      const shown = text.replaceAll(/\D/g, '');
      const called = (attrs.href ?? '').replaceAll(/\D/g, '');
      return shown === '' || shown.slice(-10) === called.slice(-10) ? [] : [[shown, called]];
    }),
  );
  every('has the same menus, without a link to itself', ({ path, document }) => {
    const here = path.replace(/\?.*/, '');
    const whole = navigations(page('/')).map((entries) =>
      entries.map(({ to, text }) => ({ to: to === here ? undefined : to, text })),
    );
    const marked = [bar, 'footer nav'].flatMap((list) => all(one(document, list), 'li > span:not([aria-current])'));
    return failing({
      entries: JSON.stringify(navigations(document)) === JSON.stringify(whole),
      marks: marked.length === 0,
    });
  });

  every(
    'except the home page has breadcrumbs',
    ({ path, document }) => {
      const items = all(one(document, way), 'li');
      const names = path.replace(/\?.*/, '').split('/').slice(1, -1);
      const above = names.map((_, at) => `/${names.slice(0, at + 1).join('/')}`).filter((folder) => pages.has(folder));
      return failing({
        pages: items.map((item) => linksOf(item).join()).join(' ') === ['/', ...above, ''].join(' '),
        order: items.every((item, at) => one(item, '[itemprop="position"]').attrs.content === String(at + 1)),
      });
    },
    (page) => page.path !== '/' && isIndexed(page),
  );

  test('prerendered pages are found, and other addresses get their error status', () => {
    const others = [...pages.values()].filter(({ status }) => status !== 200).map(({ path, status }) => [path, status]);
    expect(others).toEqual([
      ['/nowhere', 404],
      ['/cases/nothing', 404],
      ['/%zz', 400],
      ['/contact?refused', 422],
    ]);
  });

  test('pages for one visitor and the search are noindex, without canonical address and structured data', () => {
    const closed = [...pages.values()].filter((page) => !isIndexed(page));
    const expected = [...pages.keys()].filter((path) =>
      /^\/(search|contact\b|broadcast|nowhere|cases\/no|%)/.test(path),
    );
    expect(closed.map(({ path }) => path)).toEqual(expected);
    expect(closed.filter(({ document }) => link(document, 'canonical') || graphOf(document).length > 0)).toEqual([]);
  });

  every(
    'that is indexed has a title, a description, a canonical address and Open Graph data',
    ({ document }) => {
      const title = one(document, 'title').text;
      const description = meta(document, 'description') ?? '';
      const isArticle = graphOf(document).some((thing) => thing['@type'] === 'Article');
      return failing({
        title: title.length >= 10 && meta(document, 'og:title') === title,
        company: title.includes(content.company.name) && meta(document, 'og:site_name') === content.company.name,
        description: description.length >= 50 && meta(document, 'og:description') === description,
        canonical: link(document, 'canonical')?.startsWith(`${siteUrl}/`),
        address: meta(document, 'og:url') === link(document, 'canonical'),
        picture: meta(document, 'og:image')?.startsWith(`${siteUrl}/share/`),
        type: meta(document, 'og:type') === (isArticle ? 'article' : 'website'),
        locale: meta(document, 'og:locale') === 'ru_RU',
        robots: meta(document, 'robots') === 'max-image-preview:large',
      });
    },
    isIndexed,
  );

  test('canonical pages have different titles, descriptions and ETags', () => {
    const repeated = (values: readonly unknown[]) => values.filter((value, at) => values.indexOf(value) !== at);
    const first = canonical().filter(({ path }) => !path.includes('?'));
    expect(first.length).toBeGreaterThan(30);
    expect(repeated(canonical().map(({ document }) => textOf(one(document, 'title'))))).toEqual([]);
    expect(repeated(first.map(({ document }) => meta(document, 'description')))).toEqual([]);
    expect(repeated(first.map(({ headers }) => headers.etag))).toEqual([]);
  });

  test('a list shows every item once, ten per page, and links to the previous and the next page', async () => {
    const { articles, reviews, cases, news, categories } = content;
    const lists: [path: string, posts: readonly { slug: string }[]][] = [
      ['/cases', cases],
      ['/about/novosti', news],
      ['/blog', articles],
      ['/reviews', reviews],
    ];
    for (const { slug } of categories.blog)
      lists.push([`/blog/${slug}`, articles.filter(({ category }) => category === slug)]);
    for (const { slug } of categories.reviews)
      lists.push([`/reviews/${slug}`, reviews.filter(({ category }) => category === slug)]);
    // A list without posts is no page.
    for (const [path, posts] of lists.filter(([, { length }]) => length > 0)) {
      const slugs = posts.map(({ slug }) => slug);
      const count = Math.ceil(slugs.length / 10);
      const at = (number: number) => (number === 1 ? path : `${path}?page=${number}`);
      for (let number = 1; number <= count; number++) {
        const document = page(at(number));
        const around = [number - 1, number, number + 1].map((one) =>
          one < 1 || one > count ? undefined : siteUrl + at(one),
        );
        expect(['prev', 'canonical', 'next'].map((rel) => link(document, rel))).toEqual(around);
        const items = all(one(document, 'main'), 'a, li.card').map(({ attrs: { href, id } }) =>
          (href ?? id)?.split('/').at(-1),
        );
        expect(items.filter((slug) => slugs.includes(slug ?? ''))).toEqual(slugs.slice(number * 10 - 10, number * 10));
        const current = all(document, `${numbers} span[aria-current="page"]`).map(textOf);
        expect(current).toEqual(count > 1 ? [String(number)] : []);
      }
      expect([path, (await site.request(at(count + 1))).status]).toEqual([path, 404]);
    }
  });

  test('every link, picture, file and fragment that a page names exists', async () => {
    const named = new Map<string, string>();
    for (const { path, document } of pages.values()) {
      const found = [
        ...all(document, '[href]').map(({ attrs }) => attrs.href),
        ...all(document, '[src]').map(({ attrs }) => attrs.src),
        ...all(document, 'form').map(({ attrs }) => attrs.action),
        ...all(document, '[srcset]').flatMap(({ attrs }) =>
          attrs.srcset?.split(',').map((one) => one.trim().split(' ')[0]),
        ),
        ...thingsIn(graphOf(document)).flatMap((thing) => addressing.flatMap((name) => thing[name] ?? []).map(String)),
        meta(document, 'og:image'),
      ];
      for (const address of found) {
        const url = new URL(address ?? '', siteUrl + path);
        if (url.origin === siteUrl) named.set(url.href.slice(siteUrl.length), path);
      }
    }
    const answers = new Map<string, { status: number; document: Element }>(pages);
    const broken: string[] = [];
    for (const [address, from] of named) {
      const [path = '', fragment] = address.split('#');
      if (site.served.picture(path)) continue;
      if (!answers.has(path)) {
        const answer = await site.request(path);
        const isPage = answer.headers['content-type']?.startsWith('text/html');
        answers.set(path, { ...answer, document: parseHtml(isPage ? answer.text : '') });
      }
      const answer = answers.get(path);
      const there = !fragment || answer?.document.getElementById(decodeURIComponent(fragment));
      if ((answer?.status !== 200 && path !== from) || !there) broken.push(`${from} -> ${address}: ${answer?.status}`);
    }
    expect(named.size).toBeGreaterThan(100);
    expect(broken).toEqual([]);
  });

  test('payloads, files and pictures of the site exist and have security headers', async () => {
    const { paths, files, pictures } = site.served;
    const others = [...paths.map(payloadPath), ...files, ...(painted ? pictures() : []).map(({ path }) => path)];
    const faults: string[] = [];
    for (const path of others) {
      const answer = await site.request(path);
      if (answer.status !== 200) faults.push(`${path}: ${answer.status}`);
      faults.push(...unprotected(answer).map((name) => `${path}: ${name}`));
    }
    expect(others.length).toBeGreaterThan(100);
    expect(faults).toEqual([]);
  });

  test('every redirect of the editors leads to a page in one step', async () => {
    if (contentShips) expect(content.redirects).not.toEqual([]);
    for (const { from, to } of content.redirects) {
      const address = encodeURI(from.replace(/\*$/, 'anything'));
      const { status, headers } = await site.request(`${address}${address.includes('?') ? '&' : '?'}utm_source=ya`);
      expect([from, status, headers.location]).toEqual([from, 301, `${to}?utm_source=ya`]);
      expect(pages.get(to)?.status).toBe(200);
    }
  });

  describe('structured data', () => {
    test('describes the site, the company, articles and videos, and nothing else', () => {
      const posts = new Set(
        postPages(content).flatMap(({ path, post }) => [path, path.replace(/[^/]+$/, String(post.id))]),
      );
      const types = (path: string) => {
        if (path === '/') return ['WebSite'];
        if (path === '/about' || path === '/contacts') return ['LocalBusiness'];
        if (path.startsWith('/blog/video-news/')) return ['Article', 'VideoObject'];
        return posts.has(path) ? ['Article'] : [];
      };
      const told = indexed().map(({ path, document }) => [path, graphOf(document).map((thing) => thing['@type'])]);
      expect(told).toEqual(indexed().map(({ path }) => [path, types(path)]));
    });

    every('has all structured data that Google and Yandex require, complete and in their format', ({ document }) => {
      const today = localTime(new Date(content.at), content.company.workingHours.timeZone).date;
      return thingsIn(graphOf(document)).flatMap((thing) => {
        const wanted = required[String(thing['@type'])]?.split(' ') ?? ['nothing that is known'];
        const missing = wanted.filter((names) => !names.split('|').some((name) => name in thing));
        const relative = addressing.filter((name) =>
          [thing[name] ?? []].flat().some((address) => typeof address === 'string' && !/^https?:\/\//.test(address)),
        );
        const dates = ['datePublished', 'dateModified', 'uploadDate'].filter((name) => {
          const date = String(thing[name] ?? today);
          return !/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d[+-]\d\d:\d\d)?$/.test(date) || date.slice(0, 10) > today;
        });
        const sound = failing({
          filled: !/"\s*"|\[\]|null|undefined|NaN|\[object/.test(JSON.stringify(thing)),
          // Google cuts longer headlines.
          headline: String(thing.headline ?? '').length <= 110,
        });
        return [...missing, ...relative, ...dates, ...sound].map((name) => `${thing['@type']}: ${name}`);
      });
    });
  });
});
