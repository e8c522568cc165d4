import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { DOMParser, type Element, onWarningStopParsing } from '@xmldom/xmldom';
import { pino } from 'pino';
import sharp from 'sharp';
import { createCache } from '../lib/cache.ts';
import { localTime } from '../lib/calendar.ts';
import { type Hash, hashOf } from '../lib/hash.ts';
import { paths } from '../lib/paths.ts';
import { type ContentFiles, readFolder, revisionOf } from '../reading/content-files.ts';
import { ContentError } from '../reading/problem.ts';
import { siteUrl, testInputs } from '../testing/built.ts';
import { contentFolder, contentWith, otherContent } from '../testing/content.ts';
import { eventually } from '../testing/eventually.ts';
import { all, parseHtml, textOf } from '../testing/html.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { shownSite, siteOf, textAt } from '../testing/test-site.ts';
import { bodyOf } from './body.ts';
import { type Current, readSite, type SourceOptions } from './current.ts';
import { fillSite } from './fill.ts';
import { followContent } from './follow.ts';
import type { RunJob } from './jobs.ts';
import { payloadPath } from './pages.ts';
import { candidates, publishBack, publishedState, publishFiles, readPublished, readRevision } from './revisions.ts';
import type { Site } from './site.ts';
import { changesIn } from './watch.ts';

/** With few posts. */
const small = otherContent();
const site = await shownSite({ files: small });
const { content } = site;

const namesIn = (folder: string) => [...small.keys()].filter((name) => name.startsWith(`${folder}/`));
const fileIn = (folder: string) => namesIn(folder).find((name) => name.endsWith('.md')) ?? '';
const pathOf = (name: string) => `/${name.replace('.md', '')}`;

function answersOf(of: Site): Map<string, string> {
  const addresses = [...of.paths, ...of.files, ...of.paths.map(payloadPath)];
  return new Map(addresses.map((path) => [path, textAt(of, path)]));
}

const answers = answersOf(site);

function differing(second: Site): string[] {
  return [...answersOf(second)].flatMap(([path, text]) => (answers.get(path) === text ? [] : [path])).sort();
}

describe('a site', () => {
  const study = fileIn('cases');
  const path = pathOf(study);

  test('made twice is the same, byte by byte', async () => {
    const second = await shownSite({ files: otherContent() });
    expect([second.id, differing(second)]).toEqual([site.id, []]);
  });

  test('is named by content, address, third parties, and whether it shows drafts', async () => {
    const others = await Promise.all([
      shownSite({ files: contentWith({ [study]: (text) => `${text}\n` }, small) }),
      shownSite({ files: small, siteUrl: 'https://example.ru' }),
      shownSite({ files: small, integrations: { metrikaId: '1' } }),
      shownSite({ files: small, drafts: true }),
    ]);
    expect(new Set([site, ...others].map(({ id }) => id)).size).toBe(1 + others.length);
  });

  test('has one document for both addresses of a post', () => {
    const byId = site.paths.find((one) => one !== path && site.open(one).head.path === path) ?? '';
    for (const of of [String, payloadPath]) expect(site.find(of(byId))?.etag()).toBe(site.find(of(path))?.etag());
  });

  test('after a change of one page answers for that page and no other anew', async () => {
    const second = await shownSite({ files: contentWith({ [study]: (text) => `${text}\nЕщё абзац.\n` }, small) });
    const both = second.paths.filter((one) => second.open(one).head.path === path);
    const build = ['/builds/latest.json', `/builds/meta/${second.id}.json`];
    expect(both).toHaveLength(2);
    expect(differing(second)).toEqual([...both, ...both.map(payloadPath), ...build].sort());
  });

  test('after a change of a heading differs in the lists that show it, and on no other page', async () => {
    const news = fileIn('news');
    const headed = (text: string) => text.replace(/^heading: .*$/m, 'heading: Другой заголовок');
    const second = await shownSite({ files: contentWith({ [news]: headed }, small) });
    const pages = differing(second).filter((path) => second.paths.includes(path));
    expect(pages).toEqual(expect.arrayContaining([`/about/novosti/${basename(news, '.md')}`, '/map']));
    // The company page shows the newest item.
    expect(pages.filter((path) => !path.startsWith('/about') && path !== '/map')).toEqual([]);
  });

  test('is filled page by page, also after one that cannot be rendered, till another site is shown', async () => {
    const ready: string[] = [];
    const failed: string[] = [];
    const find = (path: string) => ({
      async prepare() {
        if (path === '/broken') throw new Error('a component failed');
        ready.push(path);
      },
    });
    await fillSite(
      { paths: ['/', '/broken', '/b', '/c'], files: [], find },
      () => ready.length === 2,
      (path, error) => failed.push(`${path} ${error}`),
    );
    expect([ready, failed]).toEqual([['/', '/b'], ['/broken Error: a component failed']]);
  });
});

describe('a body', () => {
  const lines = Array.from({ length: 200 }, (_, n) => `<li>Строка ${n * 7919} из ${n % 13}</li>`);
  const text = Buffer.from(lines.join('\n'));

  test('is compressed at once and kept, and later as well as can be', async () => {
    const cache = createCache();
    const body = bodyOf(text, cache);
    const quick = body.encoded('br');
    expect(brotliDecompressSync(quick.bytes)).toEqual(text);
    expect(bodyOf(Buffer.from(text), cache).encoded('br')).toBe(quick);
    await body.compressWell();
    const well = body.encoded('br');
    expect(well.bytes.length).toBeLessThan(quick.bytes.length);
    expect(brotliDecompressSync(well.bytes)).toEqual(text);
    expect(gunzipSync(body.encoded('gzip').bytes)).toEqual(text);
    // Nothing is compressed twice.
    await body.compressWell();
    expect(body.encoded('br')).toBe(well);
  });

  test('that does not get smaller is sent as it is', () => {
    const bytes = Buffer.from(Array.from({ length: 64 }, (_, n) => (n * n * 31) % 251));
    const body = bodyOf(bytes, createCache());
    for (const encoding of ['br', 'gzip', 'identity'] as const)
      expect(body.encoded(encoding)).toEqual({ encoding: 'identity', bytes });
  });
});

function parseXml(path: string): Element {
  const parser = new DOMParser({ onError: onWarningStopParsing });
  const root = parser.parseFromString(textAt(site, path), 'application/xml').documentElement;
  if (root === null) throw new Error(`${path} has no root.`);
  return root;
}

const childrenOf = (parent: Element, name: string) => Array.from(parent.getElementsByTagName(name));
const childText = (parent: Element, name: string) => childrenOf(parent, name)[0]?.textContent ?? '';
const newest = (dates: readonly string[]) => dates.toSorted().at(-1) ?? '';
const newestOf = (posts: readonly { published: string }[]) => newest(posts.map(({ published }) => published));

test('the sitemap has every page for search engines, and on which day it last changed, of a list by the newest that it lists', () => {
  const root = parseXml('/sitemap.xml');
  expect(root.namespaceURI).toBe('http://www.sitemaps.org/schemas/sitemap/0.9');
  const listed = childrenOf(root, 'url').map((url) => [childText(url, 'loc'), childText(url, 'lastmod')] as const);
  const days = new Map(listed.map(([address, day]) => [address.replace(siteUrl, ''), day]));
  const indexed = site.paths.filter((path) => {
    const html = textAt(site, path);
    return html.includes(`rel="canonical" href="${siteUrl}${path}"`) && !html.includes('content="noindex"');
  });
  expect(listed.map(([address]) => address.replace(siteUrl, '')).sort()).toEqual(indexed.sort());

  const { articles, cases, reviews, services, legal, categories, rates, company } = content;
  const expected = [
    ...articles.map(({ category, slug, updated, published }) => [`/blog/${category}/${slug}`, updated ?? published]),
    ...Object.values(legal).map(({ slug, effective }) => [`/${slug}`, effective]),
    ...services.map(({ to, updated }) => [to, newest([updated, rates.effective])]),
    ...categories.reviews.map(({ slug }) => [
      `/reviews/${slug}`,
      newestOf(reviews.filter(({ category }) => category === slug)),
    ]),
    ['/cases', newestOf(cases)],
  ];
  expect(expected.map(([path = '']) => [path, days.get(path)])).toEqual(expected);
  const today = localTime(new Date(content.at), company.workingHours.timeZone).date;
  const wrong = [...days].filter(([, day]) => day > today || !/^\d{4}-\d\d-\d\d$/.test(day));
  // A list without anything has no date.
  expect(wrong).toEqual(expected.filter(([, day]) => day === ''));
});

test('the feed has every article and news item, newest first, each with its address for good and its day', () => {
  const [channel] = childrenOf(parseXml('/rss.xml'), 'channel');
  if (channel === undefined) throw new Error('There is no channel.');
  expect(['title', 'link', 'description', 'language'].map((name) => childText(channel, name))).toEqual([
    content.company.name,
    `${siteUrl}/`,
    content.company.description,
    'ru',
  ]);
  expect(childrenOf(channel, 'atom:link')[0]?.getAttribute('href')).toBe(`${siteUrl}/rss.xml`);
  const items = childrenOf(channel, 'item');
  const days = new Map<string, string>([
    ...content.articles.map(({ category, slug, published }) => [`/blog/${category}/${slug}`, published] as const),
    ...content.news.map(({ slug, published }) => [`/about/novosti/${slug}`, published] as const),
  ]);
  expect(items).toHaveLength(days.size);
  for (const item of items) {
    const address = childText(item, 'link');
    expect([childText(item, 'guid'), childText(item, 'category')]).toEqual([address, expect.stringMatching(/./)]);
    const date = childText(item, 'pubDate');
    expect(date).toBe(new Date(date).toUTCString());
    const { timeZone } = content.company.workingHours;
    expect(localTime(new Date(date), timeZone).date).toBe(days.get(address.replace(siteUrl, '')));
  }
  const times = items.map((item) => Date.parse(childText(item, 'pubDate')));
  expect(times).toEqual(times.toSorted((a, b) => b - a));
});

describe('robots.txt', () => {
  const lines = textAt(site, '/robots.txt').split('\n');
  const rules = lines.flatMap((line) => /^Disallow: (.+)$/.exec(line)?.[1] ?? []);

  /** Matches as Google and Yandex do: by prefix, `*` for anything, `$` for the end. */
  const kept = (path: string) =>
    rules.some((rule) => new RegExp(`^${rule.replace(/[.+?^{}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}`).test(path));

  test('keeps robots out of forms, receipts, links of the staff, endless results and copies, and of no page', () => {
    const closed = [
      ...['/contact', '/contact?preset=request', '/contact/AAAAAAAAAAAAAAAAAAAAAA', '/take/1.2.abc'],
      ...['/search', '/search?q=короб', '/rates/calc?units=100', '/_payload.json', '/rates/_payload.json'],
    ];
    expect(closed.filter((path) => !kept(path))).toEqual([]);
    const open = [...site.paths, '/contacts', '/cases?page=2', '/favicon.svg', site.images.share];
    expect(open.filter(kept)).toEqual(['/search']);
  });

  test('names the sitemap in full, and campaigns in a rule that Yandex can read', () => {
    expect(lines).toContain(`Sitemap: ${siteUrl}/sitemap.xml`);
    const [clean = '', ...more] = lines.filter((line) => line.startsWith('Clean-param: '));
    expect([more, clean.length <= 500]).toEqual([[], true]);
    expect(clean).toMatch(/^Clean-param: [a-z_]+(&[a-z_]+)*$/);
    const names = clean.replace('Clean-param: ', '').split('&');
    expect(names).toEqual(expect.arrayContaining(['utm_source', 'yclid']));
    // Parameters that pages use must not be cleaned.
    expect(names.filter((name) => ['page', 'preset', 'q'].includes(name))).toEqual([]);
  });
});

test('icons have the sizes that the manifest says; those that phones cut to a shape are opaque', async () => {
  type Icon = { src: string; sizes: string; type: string; purpose?: string };
  type Manifest = { name: string; start_url: string; icons: Icon[] };
  const { name, start_url, icons } = JSON.parse(textAt(site, '/site.webmanifest')) as Manifest;
  expect([name, start_url]).toEqual([content.company.name, '/']);
  const bytesOf = (path: string) => site.find(path)?.answer('identity', false).body ?? Buffer.alloc(0);
  const cut = icons.filter(({ purpose }) => purpose === 'maskable');
  expect(cut).toHaveLength(1);
  const touched = { src: '/apple-touch-icon.png', sizes: '180x180', type: 'image/png' };
  for (const { src, sizes, type } of [...icons, touched]) {
    const { width, height, format } = await sharp(bytesOf(src)).metadata();
    expect([src, `${width}x${height}`, `image/${format}`]).toEqual([src, sizes, type]);
  }
  for (const { src } of [...cut, touched])
    expect([src, (await sharp(bytesOf(src)).stats()).isOpaque]).toEqual([src, true]);

  // The mark at 48 pixels, which browsers that take no SVG scale down.
  const ico = bytesOf('/favicon.ico');
  const [length, offset] = [ico.readUInt32LE(14), ico.readUInt32LE(18)];
  expect([ico.readUInt16LE(4), ico.readUInt8(6), length + offset]).toEqual([1, 48, ico.length]);
  expect(await sharp(ico.subarray(offset)).metadata()).toMatchObject({ width: 48, height: 48 });
});

describe('what has not come out', () => {
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
  const made = (at: string, of = files) => shownSite({ files: of, at: new Date(at) });

  async function problemsOf(changes: Parameters<typeof contentWith>[0]): Promise<[string, string][]> {
    const made = siteOf({ files: contentWith(changes, files), at: new Date('2031-05-01T12:00:00Z') });
    const error = await made.catch((caught: unknown) => caught);
    if (!(error instanceof ContentError)) throw error;
    return error.problems.map(({ file, message }): [string, string] => [file, message]).sort();
  }
  const ofDrawer = expect.stringContaining(pathOf(drawer));

  test('comes out at midnight of its day where the company is, and is given away by nothing before', async () => {
    const before = await made('2031-05-01T20:59:59Z');
    expect(before.until).toEqual(new Date('2031-05-01T21:00:00Z'));
    const pictures = before.pictures().map(({ path }) => path);
    const said = [...answersOf(before).keys(), ...answersOf(before).values(), ...pictures].join('\n');
    expect(said + JSON.stringify(before.content)).not.toMatch(/post-of-may|-in-the-drawer/);

    const after = await made('2031-05-01T21:00:00Z');
    expect(after.paths).toContain(articlePath);
    expect(after.paths).not.toContain(newsPath);
    for (const list of ['/blog', '/sitemap.xml']) expect(textAt(after, list)).toContain(articlePath);
    // The same files make the same site at any time of one period, and another in the next.
    const ids = [before, after, await made('2031-05-02T04:30:12Z'), await made(after.until.toISOString())];
    expect(new Set(ids.map(({ id }) => id)).size).toBe(3);
    expect(ids[2]?.id).toBe(after.id);
  });

  test('is left out of a list, which goes if it has nothing else', async () => {
    const alone = (text: string) => text.replace(/^related:.*(\n +- .*)*/m, `related:\n  - ${pathOf(drawer)}`);
    const page = textAt(await made('2031-05-02T09:00:00Z', contentWith({ [pattern]: alone }, files)), pathOf(pattern));
    expect(page).not.toContain(pathOf(drawer));
    const headings = all(parseHtml(page), 'h2').map(textOf);
    expect(headings).toContain('Цены');
    expect(headings).not.toContain('Вместе с этой услугой заказывают');
  });

  test('is shown by a preview, marked in lists and on its page, and kept out of search engines and feeds', async () => {
    const preview = await shownSite({ files, drafts: true });
    for (const [path, mark] of [
      [articlePath, 'Выйдет 2 мая 2031'],
      ['/blog', 'Выйдет 2 мая 2031'],
      [newsPath, 'Черновик'],
      ['/about/novosti', 'Черновик'],
    ] as const) {
      const marks = all(parseHtml(textAt(preview, path)), 'span.sample-mark').map(textOf);
      expect([path, marks.filter((text) => text.includes(mark)).length]).toEqual([path, 1]);
    }
    for (const path of [pathOf(drawer), '/']) expect(textAt(preview, path)).toContain('(черновик)');
    for (const path of [articlePath, newsPath, pathOf(drawer)])
      expect(textAt(preview, path)).toContain('content="noindex"');
    for (const path of ['/sitemap.xml', '/rss.xml'])
      expect(textAt(preview, path)).not.toMatch(/post-of-may|-in-the-drawer/);
  });

  test('is checked before its day, and may be linked to by nothing but a draft; old sites stay', async () => {
    const link = (to: string) => (text: string) => `${text.trimEnd()}\n\n[Услуга из ящика](${to})\n`;
    const moved = `- { from: /drawer, to: ${pathOf(drawer)} }\n`;
    const wrong = {
      [article]: link('/nowhere-at-all'),
      [pattern]: link(pathOf(drawer)),
      [news]: link(pathOf(drawer)),
      'legal/vacancies.md': () => 'Слова',
      'navigation.yaml': (text: string) => text.replace(/to: \/rates\b/, `to: ${pathOf(drawer)}`),
      'redirects.yaml': (text: string) => text.replace(/^\[\]\n/m, '') + moved,
    };
    expect(await problemsOf(wrong)).toEqual([
      [article, expect.stringContaining('Ссылка «/nowhere-at-all» никуда не ведёт')],
      ['legal/vacancies.md', expect.stringContaining('Такого файла сайт не читает')],
      ['navigation.yaml', ofDrawer],
      ['redirects.yaml', ofDrawer],
      [pattern, ofDrawer],
    ]);
    // A site that was published before a rule was is shown all the same.
    expect((await made('2031-05-01T12:00:00Z', contentWith(wrong, files))).paths).toEqual(
      (await made('2031-05-01T12:00:00Z')).paths,
    );
  });

  test('is nothing that visitors may read about', async () => {
    const [review = ''] = namesIn('reviews').filter((name) => name.endsWith('.md'));
    const about = /^ *service: .*$/m;
    const wrong = {
      'departures.yaml': (text: string) => text.replace(about, `  service: ${pathOf(drawer)}`),
      'home.yaml': (text: string) => text.replace(/to: \/services\/.*$/m, `to: ${pathOf(drawer)}`),
      [review]: (text: string) => text.replace(about, `service: ${pathOf(drawer)}`),
    };
    expect(await problemsOf(wrong)).toEqual(Object.keys(wrong).map((file) => [file, ofDrawer]));
  });
});

const listed = (folder: string) => candidates(readPublished(folder)).map(({ id }) => id);

function damage(folder: string, id: Hash): void {
  appendFileSync(join(folder, id, 'company.yaml'), '\n');
}

describe('revisions', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 23, 12, minute));

  function saying(words: string): ContentFiles {
    const bytes = Buffer.from(words);
    const file = { hash: hashOf(bytes), bytes: () => bytes };
    return new Map([
      ['company.yaml', file],
      ['pages/about.md', file],
    ]);
  }

  const [one, two, three] = [saying('Один'), saying('Два'), saying('Три')];
  const [first, second, third] = [one, two, three].map(revisionOf) as [Hash, Hash, Hash];
  let folder: string;

  beforeEach(() => {
    folder = temporaryFolder();
  });

  test('are kept as they were published, and the way back leads further back each time', async () => {
    expect(readPublished(folder)).toEqual({ current: null, revisions: [] });
    const states = new Set<string>();
    for (const [minute, files] of [one, two, three].entries()) {
      await publishFiles(folder, files, at(minute));
      states.add(publishedState(folder));
    }
    expect([listed(folder), states.size]).toEqual([[third, second, first], 3]);
    const kept = [...(readRevision(folder, second) ?? [])].map(([name, { bytes }]) => [name, String(bytes())]);
    expect(kept).toEqual([...two].map(([name, { bytes }]) => [name, String(bytes())]));

    expect([publishBack(folder)?.id, listed(folder)]).toEqual([second, [second, first]]);
    expect([publishBack(folder)?.id, publishBack(folder)]).toEqual([first, undefined]);
    await publishFiles(folder, three, at(3));
    expect(listed(folder)).toEqual([third, second, first]);
  });

  test('are damaged where a file has changed, is missing or was added, which publishing mends', async () => {
    const file = join(folder, first, 'company.yaml');
    const harms = [() => damage(folder, first), () => rmSync(file), () => writeFileSync(`${file}.more`, '')];
    for (const harm of harms) {
      await publishFiles(folder, one, at(0));
      expect(readRevision(folder, first)).toBeDefined();
      harm();
      expect(readRevision(folder, first)).toBeUndefined();
    }
    writeFileSync(join(folder, 'revisions.json'), '{"current": "3');
    expect(readPublished(folder).current).toBeNull();
  });

  test('are twenty, and nothing is left half-written', async () => {
    for (let minute = 0; minute < 21; minute++) await publishFiles(folder, saying(`Раз ${minute}`), at(minute));
    expect(listed(folder)).toHaveLength(20);
    expect(readdirSync(folder).sort()).toEqual([...listed(folder), 'revisions.json'].sort());
  });

  test('that a server begins with do not take the place of what somebody publishes meanwhile', async () => {
    await Promise.all([publishFiles(folder, one, at(0), 'first'), publishFiles(folder, two, at(1))]);
    expect(readPublished(folder).current).toBe(second);
    await publishFiles(folder, three, at(2), 'first');
    expect(listed(folder)[0]).toBe(second);
  });

  test('that several publish at once are whole', async () => {
    await Promise.all([one, one, one, two, two].map((files, minute) => publishFiles(folder, files, at(minute))));
    for (const id of [first, second]) expect(readRevision(folder, id)).toBeDefined();
    expect([first, second]).toContain(readPublished(folder).current);
  });
});

test('a change of a folder is told of once, when it has been quiet', async () => {
  const dir = join(temporaryFolder(), 'later');
  const changed = changesIn(dir);
  expect([await changed(), await changed()]).toEqual([false, false]);
  mkdirSync(dir);
  expect([await changed(), await changed(), await changed()]).toEqual([false, true, false]);
  for (const text of ['Начало', 'Начало и конец']) {
    writeFileSync(join(dir, 'new.md'), text);
    expect(await changed()).toBe(false);
  }
  expect([await changed(), await changed()]).toEqual([true, false]);
});

describe('a server', () => {
  const led = (lead: string) =>
    contentWith({ 'pages/cases.md': (text) => text.replace(/^lead: .*$/m, `lead: ${lead}`) }, small);
  const [edited, again] = [led('Новое'), led('Новейшее')];
  const shipped = contentFolder(
    Object.fromEntries([...readFolder(paths.content).keys()].map((name) => [name, () => small.get(name)?.bytes()])),
  );
  const cache = createCache();
  let source: SourceOptions;
  let errors: string[];
  let stopFollowing: (() => Promise<void>) | undefined;
  let shown: Site[];
  let outdated: boolean[];
  let refused: boolean[];

  beforeEach(() => {
    [shown, outdated, refused, errors, stopFollowing] = [[], [], [], [], undefined];
    source = {
      published: temporaryFolder(),
      contentDir: shipped,
      shipped,
      inputs: testInputs(),
      cache,
      drafts: false,
      logger: { error: (text: unknown) => void errors.push(String(text)) },
    };
    jest.useFakeTimers({ doNotFake: ['performance', 'nextTick', 'setImmediate', 'queueMicrotask'] });
  });

  afterEach(async () => {
    jest.useRealTimers();
    await stopFollowing?.();
  });

  function follow(first: Current, run: RunJob = async () => {}, watch = false): void {
    stopFollowing = followContent({
      source,
      first,
      watch,
      folders: paths.pictures(temporaryFolder()),
      run,
      onSite: (site) => shown.push(site),
      onRefused: (is) => refused.push(is),
      onOutdated: (is) => outdated.push(is),
      logger: pino({ enabled: false }),
    });
  }

  async function pass(milliseconds: number): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += 100) {
      await jest.advanceTimersByTimeAsync(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  const publish = (files: ContentFiles) => publishFiles(source.published, files, new Date());

  test('makes the next site of the same files when the time of one is over', async () => {
    const first = readSite(source, new Date());
    follow(first);
    jest.setSystemTime(first.site.until.getTime() - 1_000);
    await pass(500);
    expect(shown).toEqual([]);
    await pass(3_000);
    expect(shown.map(({ revision }) => revision)).toEqual([first.site.revision]);
    expect(shown[0]?.id).not.toBe(first.site.id);
    expect(outdated).not.toContain(true);
  });

  test('shows what is published within a second, tells of what it cannot show, and needs no folder for it', async () => {
    follow(readSite(source, new Date()));
    await publish(edited);
    await pass(1_000);
    expect(shown.map(({ revision }) => revision)).toEqual([revisionOf(edited)]);
    // Invalid for this version, so the previous revision stays.
    await publish(contentWith({ 'company.yaml': (text) => `${text}novelty: 1\n` }, small));
    await pass(3_000);
    expect([shown.length, outdated.at(-1)]).toEqual([1, true]);
    await publish(again);
    await pass(1_000);
    expect([shown.length, outdated.at(-1)]).toEqual([2, false]);
    rmSync(join(source.published, revisionOf(again)), { recursive: true });
    writeFileSync(join(source.published, '.half'), 'name: Ящ');
    await pass(2_000);
    expect([shown.length, outdated.at(-1)]).toEqual([2, false]);
  });

  test('goes on after a restart with what it has shown, whatever the folder has now', async () => {
    const contentDir = join(source.published, revisionOf(small));
    await publish(small);
    source = { ...source, contentDir, published: temporaryFolder() };
    follow(readSite(source, new Date()));
    jest.useRealTimers();
    await eventually(() => listed(source.published), [revisionOf(small)]);
    damage(join(contentDir, '..'), revisionOf(small));
    expect(revisionOf(readFolder(contentDir))).not.toBe(revisionOf(small));
    const { site, asPublished } = readSite(source, new Date());
    expect([site.revision, asPublished]).toEqual([revisionOf(small), true]);
  });

  test('begins with the one before where a revision is damaged, and with what ships at last', async () => {
    await publish(edited);
    await publish(again);
    const begun = () => {
      const { site, asPublished } = readSite(source, new Date());
      return [site.revision, asPublished];
    };
    expect(begun()).toEqual([revisionOf(again), true]);
    damage(source.published, revisionOf(again));
    expect(begun()).toEqual([revisionOf(edited), false]);
    expect(errors).toEqual([expect.stringContaining(`${revisionOf(again)} is damaged`)]);
    rmSync(join(source.published, revisionOf(edited)), { recursive: true });
    expect(begun()).toEqual([revisionOf(readFolder(shipped)), false]);
  });

  test('tries again after a minute what could not be published, and not when it could', async () => {
    source = { ...source, contentDir: temporaryFolder() };
    writeFileSync(join(source.contentDir, 'company.yaml'), 'name: Короб\n');
    let ends: 'well' | 'badly' = 'badly';
    let tries = 0;
    const run: RunJob = async (command) => {
      if (command !== 'publish') return;
      tries += 1;
      if (ends === 'badly') throw new Error('"publish" was ended.');
    };
    follow(readSite({ ...source, contentDir: shipped }, new Date()), run, true);
    await pass(5_000);
    expect([tries, refused]).toEqual([1, [true]]);
    ends = 'well';
    // The folder is read in real time, which may take longer than the minute that is played.
    for (let seconds = 0; seconds < 600 && refused.length < 2; seconds++) await pass(1_000);
    await pass(120_000);
    expect([tries, refused]).toEqual([2, [true, false]]);
  });
});
