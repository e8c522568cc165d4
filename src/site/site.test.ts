import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { DOMParser, type Element, onWarningStopParsing } from '@xmldom/xmldom';
import sharp from 'sharp';
import { tone } from '../components/tone.ts';
import { createCache } from '../lib/cache.ts';
import { daysAfter, localTime } from '../lib/calendar.ts';
import { formatDate } from '../lib/format.ts';
import type { ContentFiles } from '../loading/content-files.ts';
import { startOfDay } from '../model/working-hours.ts';
import { nextRatesCsvPath, ratesCsvPath } from '../pricing/rates-csv.ts';
import { checkContent } from '../publishing/check-site.ts';
import { builtAt, siteUrl, testInputs } from '../tests/support/built.ts';
import { all, one, parseHtml, textOf } from '../tests/support/html.ts';
import { contentWith, doubledPrices, otherContent } from '../tests/support/sample-content.ts';
import { textAt } from '../tests/support/test-site.ts';
import { bodyOf } from './compressed-body.ts';
import { icons } from './icons.ts';
import { type LoadSiteOptions, loadSite } from './load-site.ts';
import { payloadPath } from './page-table.ts';
import { response } from './response.ts';
import type { Site } from './site.ts';
import { speculationRules } from './speculation-rules.ts';
import { warmSite } from './warm-site.ts';

const inputs = testInputs();
const cache = createCache();

function made(files: ContentFiles, options: Partial<LoadSiteOptions> = {}): Site {
  return loadSite(files, { inputs, at: builtAt, cache, ...options }).site;
}

/** The content has few posts. */
const small = otherContent();
const site = made(small);
const { content } = site;

const namesIn = (folder: string) => [...small.keys()].filter((name) => name.startsWith(`${folder}/`));
const fileIn = (folder: string) => namesIn(folder).find((name) => name.endsWith('.md')) ?? '';
const pathOf = (name: string) => `/${name.replace('.md', '')}`;

function answersOf(of: Site): Map<string, string> {
  const addresses = [...of.paths, ...of.files, ...of.paths.map(payloadPath)];
  return new Map(addresses.map((path) => [path, textAt(of, path)]));
}

describe('a site', () => {
  const study = fileIn('cases');
  const path = pathOf(study);

  test('has an id that depends on its address, its third parties, its retention periods, its code and whether it shows drafts', () => {
    const others = [
      made(small, { inputs: { ...inputs, siteUrl: 'https://example.ru' } }),
      made(small, { inputs: { ...inputs, integrations: { metrikaId: '1' } } }),
      made(small, { inputs: { ...inputs, retention: { ...inputs.retention, leads: 100 } } }),
      made(small, { drafts: true }),
      made(small, { inputs: { ...inputs, code: { ...inputs.code, id: 'another-build' } } }),
    ];
    expect(new Set([site, ...others].map(({ id }) => id)).size).toBe(1 + others.length);
  });

  test('changes only the responses of one page after an edit of that page', () => {
    const second = made(contentWith({ [study]: (text) => `${text}\nЕщё абзац.\n` }, small));
    const answers = answersOf(site);
    const differing = [...answersOf(second)].flatMap(([path, text]) => (answers.get(path) === text ? [] : [path]));
    const both = second.paths.filter((one) => second.open(one).head.path === path);
    const build = ['/builds/latest.json', `/builds/meta/${second.id}.json`];
    expect([both.length, second.id === site.id]).toEqual([2, false]);
    expect(differing.sort()).toEqual([...both, ...both.map(payloadPath), ...build].sort());
  });

  test('is prepared page by page, continues after a failed page, and stops when another site replaces it', async () => {
    const ready: string[] = [];
    const failed: string[] = [];
    const find = (path: string) => ({
      async prepare() {
        if (path === '/broken') throw new Error('a component failed');
        ready.push(path);
      },
    });
    const warm = (most: number) =>
      warmSite(
        { paths: ['/', '/broken', '/b'], files: ['/a.css'], find },
        () => ready.length === most,
        (path, error) => failed.push(`${path} ${error}`),
      );
    await warm(2);
    expect([ready, failed]).toEqual([['/', '/b'], ['/broken Error: a component failed']]);
    ready.length = 0;
    await warm(Number.POSITIVE_INFINITY);
    const payloads = ['/_payload.json', '/broken/_payload.json', '/b/_payload.json'];
    expect(ready).toEqual(['/', '/b', '/a.css', ...payloads]);
  });
});

describe('a price list that waits', () => {
  const { timeZone } = content.company.workingHours;
  const day = daysAfter(localTime(builtAt, timeZone).date, 40);
  const midnight = startOfDay(day, timeZone);
  const eve = new Date(midnight.getTime() - 1);
  const doubled = doubledPrices(day);
  const waiting = contentWith({ 'prices.csv': (text) => text + doubled }, small);
  const alone = contentWith({ 'prices.csv': (text) => `${text.split('\n', 1)}\n${doubled}` }, small);
  const differing = (one: Site, other: Site) => {
    const answers = answersOf(other);
    const paths = [...answersOf(one)].flatMap(([path, text]) => (answers.get(path) === text ? [] : [path]));
    return paths.filter((path) => !path.startsWith('/builds/')).sort();
  };

  test('changes only the page of prices until its day, which names the day and links to the new prices', () => {
    const before = made(waiting, { at: eve });
    expect(before.until).toEqual(midnight);
    expect(differing(before, made(small, { at: eve }))).toEqual(
      ['/rates', payloadPath('/rates'), nextRatesCsvPath].sort(),
    );
    const main = one(parseHtml(textAt(before, '/rates')), 'main');
    expect(textOf(main)).toContain(`С ${textOf(formatDate(day))} новые цены: прайс-лист для Excel`);
    expect(all(main, `a[href="${nextRatesCsvPath}"]`)).toHaveLength(1);
    const later = made(alone, { at: midnight });
    expect(textAt(before, nextRatesCsvPath)).toBe(textAt(later, ratesCsvPath));
  });

  test('is the only one from midnight in the zone of the company, on every page and in every file', () => {
    const after = made(waiting, { at: midnight });
    expect(differing(after, made(alone, { at: midnight }))).toEqual([]);
    expect(differing(after, made(small, { at: midnight }))).toEqual(
      expect.arrayContaining(['/', '/rates', ratesCsvPath, '/rates/calc', payloadPath('/rates/calc')]),
    );
  });
});

describe('a response body', () => {
  const lines = Array.from({ length: 200 }, (_, n) => `<li>Строка ${n * 7919} из ${n % 13}</li>`);
  const text = Buffer.from(lines.join('\n'));

  test('is compressed quickly and cached, and later replaced by its best compression', async () => {
    const body = bodyOf(text, cache);
    const quick = body.encoded('br');
    expect(brotliDecompressSync(quick.bytes)).toEqual(text);
    expect(bodyOf(text, cache).encoded('br')).toBe(quick);
    await body.compressWell();
    const well = body.encoded('br');
    expect(well.bytes.length).toBeLessThan(quick.bytes.length);
    expect(brotliDecompressSync(well.bytes)).toEqual(text);
    expect(gunzipSync(body.encoded('gzip').bytes)).toEqual(text);
  });

  test('is sent uncompressed when compression does not make it smaller', () => {
    const bytes = Buffer.from(Array.from({ length: 64 }, (_, n) => (n * n * 31) % 251));
    const body = bodyOf(bytes, createCache());
    for (const encoding of ['br', 'gzip'] as const)
      expect(body.encoded(encoding)).toEqual({ encoding: 'identity', bytes });
  });
});

test('a response with the same body and another CSP has another ETag, so that no browser keeps the old policy', () => {
  const etagWith = (policy: string) => {
    const security = { 'Content-Security-Policy': policy };
    const headers = { type: 'text/html; charset=utf-8', cacheControl: 'no-cache' };
    return response({
      route: '/',
      headers,
      make: () => ({ body: Buffer.from('<p>Короб</p>'), security }),
      cache,
    }).etag();
  };
  expect(etagWith("default-src 'self'")).toBe(etagWith("default-src 'self'"));
  expect(etagWith("default-src 'self'")).not.toBe(etagWith("default-src 'none'"));
});

function parseXml(path: string): Element {
  const parser = new DOMParser({ onError: onWarningStopParsing });
  return parser.parseFromString(textAt(site, path), 'application/xml').documentElement as Element;
}

const childrenOf = (parent: Element, name: string) => Array.from(parent.getElementsByTagName(name));
const childText = (parent: Element, name: string) => childrenOf(parent, name)[0]?.textContent ?? '';
const newest = (dates: readonly string[]) => dates.toSorted().at(-1) ?? '';

test('the sitemap has every indexed page with the day of its last change, which for a list is that of its newest item', () => {
  const urls = childrenOf(parseXml('/sitemap.xml'), 'url');
  const days = new Map(urls.map((url) => [childText(url, 'loc').replace(siteUrl, ''), childText(url, 'lastmod')]));
  const indexed = site.paths.filter((path) => {
    const html = textAt(site, path);
    return html.includes(`rel="canonical" href="${siteUrl}${path}"`) && !html.includes('content="noindex"');
  });
  expect([...days.keys()].sort()).toEqual(indexed.sort());
  const { articles, cases, services, rates } = content;
  const expected = [
    ...articles.map(({ category, slug, updated, published }) => [`/blog/${category}/${slug}`, updated ?? published]),
    ...services.map(({ to, updated }) => [to, newest([updated, rates.effective])]),
    ['/cases', newest(cases.map(({ published }) => published))],
  ];
  expect(expected.map(([path = '']) => [path, days.get(path)])).toEqual(expected);
});

test('the feed has every article and news item, newest first, with its permanent address and date', () => {
  const channel = parseXml('/rss.xml').getElementsByTagName('channel')[0] as Element;
  expect([childText(channel, 'title'), childText(channel, 'link')]).toEqual([content.company.name, `${siteUrl}/`]);
  const items = childrenOf(channel, 'item');
  const { timeZone } = content.company.workingHours;
  const days = items.map((item) => {
    const address = childText(item, 'link');
    expect(childText(item, 'guid')).toBe(address);
    return [address.replace(siteUrl, ''), localTime(new Date(childText(item, 'pubDate')), timeZone).date];
  });
  const posts = [
    ...content.articles.map(({ category, slug, published }) => [`/blog/${category}/${slug}`, published]),
    ...content.news.map(({ slug, published }) => [`/about/novosti/${slug}`, published]),
  ];
  expect(days.toSorted()).toEqual(posts.sort());
  const times = items.map((item) => Date.parse(childText(item, 'pubDate')));
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  const categories = new Set(items.map((item) => childText(item, 'category')));
  const blog = content.categories.blog.filter(({ slug }) => content.articles.some(({ category }) => category === slug));
  expect([...categories].sort()).toEqual([...blog.map(({ text }) => text), content.pages.novosti?.heading].sort());
});

describe('a file for the root of the site', () => {
  const taken = ['root/robots.txt', 'root/sitemap.xml'];
  const own = ['root/ads.txt', 'root/yandex_0123456789abcdef.html'];
  const files = contentWith(Object.fromEntries([...taken, ...own].map((name) => [name, () => `of ${name}`])), small);
  const rooted = made(files);

  test('is published at its address, and never replaces a file of the site', () => {
    expect(own.map((name) => textAt(rooted, name.slice(4)))).toEqual(own.map((name) => `of ${name}`));
    for (const name of taken) expect(textAt(rooted, name.slice(4))).toBe(textAt(site, name.slice(4)));
    expect(rooted.files).toEqual(expect.arrayContaining(['/robots.txt', '/ads.txt']));
    expect(rooted.files.filter((path) => path === '/robots.txt')).toHaveLength(1);
  });
});

test('the installed site opens its home page in Russian, in the colour of its paper', () => {
  const { icons, name, ...manifest } = JSON.parse(textAt(site, '/site.webmanifest'));
  expect(manifest).toMatchObject({
    ...{ short_name: name, lang: 'ru', id: '/', start_url: '/', scope: '/', display: 'minimal-ui' },
    ...{ theme_color: tone.paper, background_color: tone.paper },
  });
});

test('browsers prefetch pages without a query, and neither files nor addresses of the program', () => {
  type Pattern = string | { pathname: string; search?: string };
  type Rule = { where: { and: [{ href_matches: Pattern }, { not: { href_matches: Pattern[] } }] } };
  const { prefetch } = JSON.parse(speculationRules) as { prefetch: Rule[] };
  const [{ where }] = prefetch as [Rule];
  const [{ href_matches: matched }, { not }] = where.and;
  const fits = (pattern: Pattern, path: string) => {
    const given = typeof pattern === 'string' ? { pathname: pattern, search: '*' } : pattern;
    return new URLPattern(given).test(`https://korob.example${path}`);
  };
  const isPrefetched = (path: string) => fits(matched, path) && !not.href_matches.some((one) => fits(one, path));
  expect(site.paths.filter((path) => !isPrefetched(path))).toEqual([]);
  const left = [
    '/rates?units=5',
    '/contact',
    '/contact/AAAA',
    '/desk/link/a',
    '/take/1.2.a',
    '/broadcast',
    '/admin/',
    '/rates.csv',
  ];
  expect(left.filter(isPrefetched)).toEqual([]);
});

describe('robots.txt', () => {
  const lines = textAt(site, '/robots.txt').split('\n');
  const rules = lines.flatMap((line) => /^Disallow: (.+)$/.exec(line)?.[1] ?? []);

  /** Matches as Google and Yandex do: by prefix, with `*` for anything and `$` for the end. */
  const kept = (path: string) =>
    rules.some((rule) => new RegExp(`^${rule.replace(/[.+?^{}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}`).test(path));

  test('excludes forms, receipts, staff links, search results and copies, and no other page', () => {
    const closed = [
      ...['/contact?preset=request', '/contact/AAAAAAAAAAAAAAAAAAAAAA', '/take/1.2.abc'],
      ...['/contact', '/desk', '/desk/link/abc', '/video-broadcast'],
      ...['/search?q=короб', '/rates/calc?units=100', '/_payload.json', '/rates/_payload.json'],
    ];
    expect(closed.filter((path) => !kept(path))).toEqual([]);
    const open = [...site.paths, '/contacts', '/cases?page=2', '/favicon.svg', site.images.share];
    expect(open.filter(kept)).toEqual(['/search']);
  });
});

const square =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 900"><path fill="#f00" d="M0 0h900v900H0z"/></svg>';
const marked = made(contentWith({ 'logo.svg': () => square }, small));

test.each([
  ['shipped', site],
  ["company's own", marked],
])('icons of the %s logo have the sizes in the manifest, and those that phones crop are opaque', async (_, site) => {
  type Icon = { src: string; sizes: string; type: string; purpose?: string };
  const { name, icons } = JSON.parse(textAt(site, '/site.webmanifest')) as { name: string; icons: Icon[] };
  expect(name).toBe(content.company.name);
  const bytesOf = async (path: string) =>
    site.find(path)?.answer('identity', false).body ?? site.picture(path)?.encode() ?? Buffer.alloc(0);
  const cut = icons.filter(({ purpose }) => purpose === 'maskable');
  expect(cut).toHaveLength(1);
  const touched = { src: '/apple-touch-icon.png', sizes: '180x180', type: 'image/png' };
  for (const { src, sizes, type } of [...icons, touched]) {
    const { width, height, format } = await sharp(await bytesOf(src)).metadata();
    expect([src, `${width}x${height}`, `image/${format}`]).toEqual([src, sizes, type]);
  }
  for (const { src } of [...cut, touched])
    expect([src, (await sharp(await bytesOf(src)).stats()).isOpaque]).toEqual([src, true]);
});

describe("a company's own logo", () => {
  test('is the favicon and every icon, of which none of the shipped is left', async () => {
    expect(textAt(marked, '/favicon.svg')).toBe(square);
    for (const { path } of icons) {
      expect([path, marked.find(path)]).toEqual([path, undefined]);
      const bytes = (await marked.picture(path)?.encode()) ?? Buffer.alloc(0);
      const image = sharp(path.endsWith('.ico') ? bytes.subarray(22) : bytes);
      const { width = 0 } = await image.metadata();
      const middle = await image
        .extract({ left: width / 2, top: width / 2, width: 1, height: 1 })
        .removeAlpha()
        .raw()
        .toBuffer();
      expect([path, ...middle]).toEqual([path, 255, 0, 0]);
    }
  });
});

describe('a drawing of the content', () => {
  const drawing = square.replace('f00', '00f');
  const changes = Object.fromEntries(
    ['map', 'presets/service', 'errors/404', 'broadcast-off'].map((name) => [`images/${name}.svg`, () => drawing]),
  );
  const drawn = made(contentWith(changes, small));

  test('replaces the shipped one of its name wherever a text names it', () => {
    const [, src = ''] = /way-here-view"><picture[^>]*><img src="([^"]*)"/.exec(textAt(drawn, '/contacts')) ?? [];
    expect(textAt(drawn, src)).toBe(drawing);
  });
});

describe('an unpublished page', () => {
  const [pattern, drawer] = [fileIn('services'), 'services/service-in-the-drawer.md'];
  const [article, news] = ['blog/articles/post-of-may.md', 'news/post-in-the-drawer.md'];
  const [articlePath, newsPath] = [pathOf(article), '/about/novosti/post-in-the-drawer'];
  const like = (name: string, field: RegExp, line: string) => () =>
    String(small.get(name)?.bytes())
      .replace(/^id: .*$/m, 'id: 999')
      .replace(field, line);
  const files = contentWith(
    {
      [drawer]: like(pattern, /^order: .*$/m, 'order: 999\ndraft: true'),
      [article]: like(fileIn('blog/articles'), /^published: .*$/m, 'published: 2031-05-02'),
      [news]: like(fileIn('news'), /^published: .*$/m, 'published: 2031-04-30\ndraft: true'),
    },
    small,
  );
  const madeAt = (at: string, of = files) => made(of, { at: new Date(at) });

  const ofDrawer = expect.stringContaining(pathOf(drawer));

  test('appears at midnight of its day in the time zone of the company, and leaves no trace before', () => {
    const before = madeAt('2031-05-01T20:59:59Z');
    expect(before.until).toEqual(new Date('2031-05-01T21:00:00Z'));
    const said = JSON.stringify([before.content, before.paths, before.pictures()]);
    expect(said).not.toMatch(/post-of-may|-in-the-drawer/);

    const after = madeAt('2031-05-01T21:00:00Z');
    expect(after.paths).toContain(articlePath);
    expect(after.paths).not.toContain(newsPath);
    for (const list of ['/blog', '/sitemap.xml']) expect(textAt(after, list)).toContain(articlePath);
    // The same files make the same site at any time of one period, and another site in the next.
    const ids = [before, after, madeAt('2031-05-02T04:30:12Z'), madeAt(after.until.toISOString())];
    expect(new Set(ids.map(({ id }) => id)).size).toBe(3);
    expect(ids[2]?.id).toBe(after.id);
  });

  test('of an editor is an address only in a preview while it is a draft', () => {
    const drawn = () => String(small.get('pages/about.md')?.bytes()).replace('---\n', '---\ndraft: true\n');
    const own = contentWith({ 'pages/page-in-the-drawer.md': drawn }, small);
    expect(made(own).paths).not.toContain('/page-in-the-drawer');
    expect(made(own, { drafts: true }).paths).toContain('/page-in-the-drawer');
  });

  test('is left out of a list, and an empty list is left out of its page', () => {
    const alone = (text: string) => text.replace(/^related:.*(\n +- .*)*/m, `related:\n  - ${pathOf(drawer)}`);
    const page = textAt(madeAt('2031-05-02T09:00:00Z', contentWith({ [pattern]: alone }, files)), pathOf(pattern));
    expect(page).not.toContain(pathOf(drawer));
    expect(page).toContain('Цены');
    expect(page).not.toContain('Вместе с этой услугой заказывают');
  });

  test('is shown in a preview, marked in lists and on its page, and excluded from search engines and feeds', () => {
    const preview = made(files, { drafts: true });
    for (const [path, mark] of [
      [articlePath, 'Выйдет 2 мая 2031'],
      ['/blog', 'Выйдет 2 мая 2031'],
      [newsPath, 'Черновик'],
      ['/about/novosti', 'Черновик'],
      [pathOf(drawer), '(черновик)'],
      ['/', '(черновик)'],
    ] as const)
      expect([path, textOf(parseHtml(textAt(preview, path)))]).toEqual([path, expect.stringContaining(mark)]);
    for (const path of [articlePath, newsPath, pathOf(drawer)])
      expect(textAt(preview, path)).toContain('content="noindex"');
    for (const path of ['/sitemap.xml', '/rss.xml'])
      expect(textAt(preview, path)).not.toMatch(/post-of-may|-in-the-drawer/);
  });

  test('is checked before its day, and only drafts may link to it, while a site that is already published still loads', async () => {
    const link = (to: string) => (text: string) => `${text.trimEnd()}\n\n[Услуга из ящика](${to})\n`;
    const moved = `- { from: /drawer, to: ${pathOf(drawer)} }\n`;
    const options = { inputs, at: new Date('2031-05-01T12:00:00Z'), cache };
    const problemsOf = async (wrong: ContentFiles) => {
      const { problems } = await checkContent(wrong, options);
      return problems.flatMap(({ file, message, warning }) => (warning ? [] : [[file, message]])).sort();
    };
    const toDrawer = pathOf(drawer);
    const changes = {
      [article]: (text: string) => link('http://localhost:3000/rates')(link('/nowhere-at-all')(text)),
      [pattern]: link(toDrawer),
      [news]: link(toDrawer),
      'navigation.yaml': (text: string) => text.replace(/to: \/rates\b/, `to: ${toDrawer}`),
      'redirects.yaml': (text: string) => text.replace(/^\[\]\n/m, '') + moved,
    };
    const wrong = contentWith(changes, files);
    expect(await problemsOf(wrong)).toEqual([
      [article, expect.stringContaining('Ссылка «/nowhere-at-all» никуда не ведёт')],
      [article, expect.stringContaining('есть только на вашей машине')],
      ['navigation.yaml', ofDrawer],
      ['redirects.yaml', ofDrawer],
      [pattern, ofDrawer],
    ]);
    // A site that was published before a rule existed is still shown.
    expect(made(wrong, options).paths).toEqual(made(files, options).paths);
  });

  test('may link to pages that appear by its day, and not to a draft or a later post', async () => {
    const post =
      (id: number, day: string, links: readonly string[] = []) =>
      () =>
        String(small.get(fileIn('blog/articles'))?.bytes())
          .replace(/^id: .*$/m, `id: ${id}`)
          .replace(/^published: .*$/m, `published: ${day}`)
          .trimEnd() + links.map((to) => `\n\n[Ссылка](${to})\n`).join('');
    const names = ['earlier', 'same', 'later'].map((name) => `blog/articles/${name}-post.md`);
    const [earlier = '', same = '', later = ''] = names;
    const links = [...names.map(pathOf), pathOf(drawer)];
    const linked = contentWith(
      {
        [earlier]: post(1001, '2031-05-02'),
        [same]: post(1002, '2031-05-03', links),
        [later]: post(1003, '2031-05-04', links.slice(0, 3)),
      },
      files,
    );
    const { problems } = await checkContent(linked, { inputs, at: new Date('2031-05-01T12:00:00Z'), cache });
    const broken = problems.filter(({ file, warning }) => !warning && names.includes(file));
    expect(broken.map(({ file, message }) => [file, message])).toEqual(
      [later, drawer].map((target) => [
        same,
        `Ссылка «${pathOf(target)}» никуда не ведёт: та страница выйдет позже, или она черновик. Уберите ссылку или поменяйте дни.`,
      ]),
    );
  });
});

test('a link is an error when its scheme is unknown, or its address, page or anchor is missing', async () => {
  const text = [
    '[почта](mailto:info@example.ru?subject=Груз) [двоим](mailto:a@example.ru,b@example.com) [им](mailto:я@короб.рф)',
    '[тарифы](https://korob.example/rates) [они же](http://www.korob.example/rates) [чужой](https://other.example/nowhere)',
    '## Своя часть',
    '[есть](#своя-часть) [телефон](tel:+74950000000)',
    '[опечатка](htps://example.com/)',
    '[нет такой](#чужая-часть)',
    '[без имени](mailto:example.ru)',
    '[и там](http://www.korob.example/nowhere#a)',
  ];
  const name = fileIn('services');
  const wrong = contentWith({ [name]: (before) => `${before.trimEnd()}\n\n${text.join('\n\n')}\n` }, small);
  const own = { ...inputs, siteUrl: 'https://korob.example' };
  const { problems } = await checkContent(wrong, { inputs: own, at: builtAt, cache });
  expect(problems.flatMap(({ message, warning }) => (warning ? [] : message))).toEqual([
    expect.stringContaining('«htps://example.com/» никуда не ведёт: браузер не знает, что такое «htps:»'),
    expect.stringContaining('На этой странице нет части «чужая-часть»'),
    expect.stringContaining('«mailto:example.ru» никуда не ведёт: после mailto: нужен адрес почты'),
    expect.stringContaining('«/nowhere#a» никуда не ведёт: такой страницы нет'),
  ]);
});
