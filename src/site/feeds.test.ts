import { beforeAll, describe, expect, test } from '@jest/globals';
import { localTime } from '../lib/calendar.ts';
import { siteUrl } from '../testing/built.ts';
import { all, parseHtml } from '../testing/html.ts';
import { startTestSite } from '../testing/test-site.ts';
import { childOf, childrenOf, parseXml, type XmlElement } from '../testing/xml.ts';

const site = await startTestSite();
const { content } = site.services.site;

describe('sitemap.xml', () => {
  /** Pages without dates are `undefined`. */
  let addresses: Map<string, string | undefined>;
  beforeAll(async () => {
    const root = parseXml((await site.request('/sitemap.xml')).text);
    expect([root.name, root.attributes]).toEqual(['urlset', { xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9' }]);
    addresses = new Map(
      root.children.map((url) => [childOf(url, 'loc').text.slice(siteUrl.length), childrenOf(url, 'lastmod')[0]?.text]),
    );
    expect(addresses.size).toBe(root.children.length);
  });

  test('lists what search engines may keep, and nothing else', async () => {
    for (const path of site.served.paths) {
      const document = parseHtml((await site.request(path)).text);
      const [canonical] = all(document, 'link[rel="canonical"]');
      const robots = all(document, 'meta[name="robots"]').map(({ attrs }) => attrs.content);
      const indexed = canonical?.attributes.href === siteUrl + path && !robots.includes('noindex');
      expect([path, addresses.has(path)]).toEqual([path, indexed]);
    }
    expect([...addresses.keys()].filter((path) => !site.served.paths.includes(path))).toEqual([]);
  });

  test('says of every page on which day it last changed, which has come', () => {
    const today = localTime(new Date(content.at), content.company.workingHours.timeZone).date;
    for (const [path, modified = ''] of addresses) {
      const empty = content.categories.reviews.some(
        ({ slug }) => path === `/reviews/${slug}` && reviewed(slug).length === 0,
      );
      expect([path, modified]).toEqual([path, empty ? '' : expect.stringMatching(/^\d{4}-\d\d-\d\d$/)]);
      expect(modified <= today).toBe(true);
    }
  });

  test('says it of what has a date by that date, and of a list by the newest that it lists', () => {
    for (const { category, slug, updated, published } of content.articles) {
      expect(addresses.get(`/blog/${category}/${slug}`)).toBe(updated ?? published);
    }
    for (const { slug, published } of content.cases) expect(addresses.get(`/cases/${slug}`)).toBe(published);
    for (const { slug, effective } of Object.values(content.legal)) expect(addresses.get(`/${slug}`)).toBe(effective);
    for (const { to, updated } of content.services)
      expect(addresses.get(to)).toBe(newest([updated, content.rates.effective]));
    const dates = (items: readonly { published: string }[]) => newest(items.map(({ published }) => published));
    expect(addresses.get('/cases')).toBe(dates(content.cases));
    expect(addresses.get('/about/novosti')).toBe(dates(content.news));
    for (const { slug } of content.categories.blog)
      expect(addresses.get(`/blog/${slug}`)).toBe(dates(content.articles.filter((one) => one.category === slug)));
    for (const { slug } of content.categories.reviews)
      expect(addresses.get(`/reviews/${slug}`)).toBe(dates(reviewed(slug)));
  });
});

const reviewed = (slug: string) => content.reviews.filter(({ category }) => category === slug);

function newest(dates: readonly string[]): string | undefined {
  return [...dates].sort().at(-1);
}

describe('rss.xml', () => {
  let channel: XmlElement;
  let items: XmlElement[];
  beforeAll(async () => {
    const root = parseXml((await site.request('/rss.xml')).text);
    expect([root.name, root.attributes.version]).toEqual(['rss', '2.0']);
    channel = childOf(root, 'channel');
    items = childrenOf(channel, 'item');
  });
  const text = (parent: XmlElement, name: string) => childOf(parent, name).text;

  test('has what a channel must have, and its own address', () => {
    expect(['title', 'link', 'description', 'language'].map((name) => text(channel, name))).toEqual([
      content.company.name,
      `${siteUrl}/`,
      content.company.description,
      'ru',
    ]);
    expect(childOf(channel, 'atom:link').attributes).toEqual({
      href: `${siteUrl}/rss.xml`,
      rel: 'self',
      type: 'application/rss+xml',
    });
  });

  test('has every article and news item, newest first, under its canonical address for good', () => {
    const all = [
      ...content.articles.map(({ category, slug }) => `${siteUrl}/blog/${category}/${slug}`),
      ...content.news.map(({ slug }) => `${siteUrl}/about/novosti/${slug}`),
    ];
    expect(items.map((item) => text(item, 'link')).sort()).toEqual(all.sort());
    for (const item of items) {
      expect(childOf(item, 'guid')).toMatchObject({ attributes: { isPermaLink: 'true' }, text: text(item, 'link') });
      expect(text(item, 'category')).not.toBe('');
    }
    const times = items.map((item) => Date.parse(text(item, 'pubDate')));
    expect(times).toEqual([...times].sort((a, b) => b - a));
  });

  test('gives dates as RFC 822 does, each the day that the page gives', () => {
    for (const item of items) {
      const date = text(item, 'pubDate');
      expect(date).toMatch(/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/);
      const slug = text(item, 'link').split('/').at(-1);
      const published = [...content.articles, ...content.news].find((one) => one.slug === slug)?.published;
      expect(new Date(Date.parse(date) + 3 * 3_600_000).toISOString().slice(0, 10)).toBe(published);
    }
  });
});

describe('robots.txt', () => {
  let lines: string[];
  beforeAll(async () => {
    lines = (await site.request('/robots.txt')).text.split('\n');
  });

  /** Matches as Google and Yandex do: by prefix, `*` for anything, `$` for the end. */
  function kept(path: string): boolean {
    const rules = lines.flatMap((line) => /^Disallow: (.+)$/.exec(line)?.[1] ?? []);
    return rules.some((rule) => {
      const pattern = rule.replace(/[.+?^{}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
      return new RegExp(`^${pattern}`).test(path);
    });
  }

  test('keeps robots out of forms, receipts, links of the staff, endless results and copies for programs', () => {
    const closed = [
      ...['/contact', '/contact?preset=request', '/contact/AAAAAAAAAAAAAAAAAAAAAA', '/take/1.2.abc'],
      ...['/search', '/search?q=короб', '/rates/calc?units=100', '/_payload.json', '/rates/_payload.json'],
    ];
    expect(closed.filter((path) => !kept(path))).toEqual([]);
  });

  test('keeps no page of the sitemap from them, nor what pages are made of', () => {
    const open = [
      ...site.served.paths.filter((path) => path !== '/search'),
      '/contacts',
      '/rates/calc',
      '/cases?page=2',
      '/favicon.svg',
      site.served.images.share,
    ];
    expect(open.filter(kept)).toEqual([]);
  });

  test('names the sitemap in full, and campaigns in a rule that Yandex can read', () => {
    expect(lines).toContain(`Sitemap: ${siteUrl}/sitemap.xml`);
    const clean = lines.filter((line) => line.startsWith('Clean-param: '));
    expect(clean).toHaveLength(1);
    expect(clean[0]?.length).toBeLessThanOrEqual(500);
    expect(clean[0]).toMatch(/^Clean-param: [a-z_]+(&[a-z_]+)*$/);
    expect(clean[0]).toMatch(/utm_source.*yclid/);
    // Parameters that pages use must not be cleaned.
    for (const name of ['page', 'preset', 'q']) expect(clean[0]).not.toMatch(new RegExp(`[ &]${name}(&|$)`));
  });
});

test('a broken feed is known as such', () => {
  const feed = (body: string) => () => parseXml(`<?xml version="1.0" encoding="UTF-8"?>\n<rss>${body}</rss>`);
  expect(feed('<a>&amp;&#1087;</a>')().children[0]?.text).toBe('&п');
  for (const wrong of ['&nbsp;', 'a & b', '<a>', '<a></b>', '<x:a/>', '\u0001', '</rss>'])
    expect(feed(wrong)).toThrow();
});
