import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
import { builtAt, siteUrl, testInputs } from '../testing/built.ts';
import { contentFolder, contentWith, otherContent } from '../testing/content.ts';
import { eventually } from '../testing/eventually.ts';
import { parseHtml, textOf } from '../testing/html.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { textAt } from '../testing/test-site.ts';
import { bodyOf } from './body.ts';
import { checkContent } from './check.ts';
import { type Current, readSite, type SourceOptions } from './current.ts';
import { fillSite } from './fill.ts';
import { followContent } from './follow.ts';
import type { RunJob } from './jobs.ts';
import { type LoadSiteOptions, loadSite } from './load.ts';
import { payloadPath } from './pages.ts';
import { candidates, publishBack, publishFiles, readPublished, readRevision } from './revisions.ts';
import type { Site } from './site.ts';
import { changesIn } from './watch.ts';

const inputs = testInputs();
const cache = createCache();

function made(files: ContentFiles, options: Partial<LoadSiteOptions> = {}): Site {
  return loadSite(files, { inputs, at: builtAt, cache, ...options }).site;
}

/** With few posts. */
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

  test('is named by content, address, third parties, and whether it shows drafts', () => {
    const others = [
      made(contentWith({ [study]: (text) => `${text}\n` }, small)),
      made(small, { inputs: { ...inputs, siteUrl: 'https://example.ru' } }),
      made(small, { inputs: { ...inputs, integrations: { metrikaId: '1' } } }),
      made(small, { drafts: true }),
    ];
    expect(new Set([site, ...others].map(({ id }) => id)).size).toBe(1 + others.length);
  });

  test('has one document for both addresses of a post', () => {
    const byId = site.paths.find((one) => one !== path && site.open(one).head.path === path) ?? '';
    for (const of of [String, payloadPath]) expect(site.find(of(byId))?.etag()).toBe(site.find(of(path))?.etag());
  });

  test('after a change of one page answers for that page and no other anew', () => {
    const second = made(contentWith({ [study]: (text) => `${text}\nЕщё абзац.\n` }, small));
    const answers = answersOf(site);
    const differing = [...answersOf(second)].flatMap(([path, text]) => (answers.get(path) === text ? [] : [path]));
    const both = second.paths.filter((one) => second.open(one).head.path === path);
    const build = ['/builds/latest.json', `/builds/meta/${second.id}.json`];
    expect(both).toHaveLength(2);
    expect(differing.sort()).toEqual([...both, ...both.map(payloadPath), ...build].sort());
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

  test('that does not get smaller is sent as it is', () => {
    const bytes = Buffer.from(Array.from({ length: 64 }, (_, n) => (n * n * 31) % 251));
    const body = bodyOf(bytes, createCache());
    for (const encoding of ['br', 'gzip'] as const)
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

test('the sitemap has every page for search engines, and on which day it last changed, of a list by the newest that it lists', () => {
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

test('the feed has every article and news item, newest first, each with its address for good and its day', () => {
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
});

describe('robots.txt', () => {
  const lines = textAt(site, '/robots.txt').split('\n');
  const rules = lines.flatMap((line) => /^Disallow: (.+)$/.exec(line)?.[1] ?? []);

  /** Matches as Google and Yandex do: by prefix, `*` for anything, `$` for the end. */
  const kept = (path: string) =>
    rules.some((rule) => new RegExp(`^${rule.replace(/[.+?^{}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}`).test(path));

  test('keeps robots out of forms, receipts, links of the staff, endless results and copies, and of no page', () => {
    const closed = [
      ...['/contact?preset=request', '/contact/AAAAAAAAAAAAAAAAAAAAAA', '/take/1.2.abc'],
      ...['/search?q=короб', '/rates/calc?units=100', '/_payload.json', '/rates/_payload.json'],
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
    // Parameters that pages use must not be cleaned.
    expect(clean).not.toMatch(/[ &](?:page|preset|q)(?:&|$)/);
  });
});

test('icons have the sizes that the manifest says; those that phones cut to a shape are opaque', async () => {
  type Icon = { src: string; sizes: string; type: string; purpose?: string };
  const { name, icons } = JSON.parse(textAt(site, '/site.webmanifest')) as { name: string; icons: Icon[] };
  expect(name).toBe(content.company.name);
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
  const madeAt = (at: string, of = files) => made(of, { at: new Date(at) });

  const ofDrawer = expect.stringContaining(pathOf(drawer));

  test('comes out at midnight of its day where the company is, and is given away by nothing before', () => {
    const before = madeAt('2031-05-01T20:59:59Z');
    expect(before.until).toEqual(new Date('2031-05-01T21:00:00Z'));
    const said = JSON.stringify([before.content, before.paths, before.pictures()]);
    expect(said).not.toMatch(/post-of-may|-in-the-drawer/);

    const after = madeAt('2031-05-01T21:00:00Z');
    expect(after.paths).toContain(articlePath);
    expect(after.paths).not.toContain(newsPath);
    for (const list of ['/blog', '/sitemap.xml']) expect(textAt(after, list)).toContain(articlePath);
    // The same files make the same site at any time of one period, and another in the next.
    const ids = [before, after, madeAt('2031-05-02T04:30:12Z'), madeAt(after.until.toISOString())];
    expect(new Set(ids.map(({ id }) => id)).size).toBe(3);
    expect(ids[2]?.id).toBe(after.id);
  });

  test('is left out of a list, which goes if it has nothing else', () => {
    const alone = (text: string) => text.replace(/^related:.*(\n +- .*)*/m, `related:\n  - ${pathOf(drawer)}`);
    const page = textAt(madeAt('2031-05-02T09:00:00Z', contentWith({ [pattern]: alone }, files)), pathOf(pattern));
    expect(page).not.toContain(pathOf(drawer));
    expect(page).toContain('Цены');
    expect(page).not.toContain('Вместе с этой услугой заказывают');
  });

  test('is shown by a preview, marked in lists and on its page, and kept out of search engines and feeds', () => {
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

  test('is checked before its day, and may be named by nothing but a draft; old sites stay', async () => {
    const link = (to: string) => (text: string) => `${text.trimEnd()}\n\n[Услуга из ящика](${to})\n`;
    const moved = `- { from: /drawer, to: ${pathOf(drawer)} }\n`;
    const options = { inputs, at: new Date('2031-05-01T12:00:00Z'), cache };
    const problemsOf = async (wrong: ContentFiles) => {
      const { problems } = await checkContent(wrong, options);
      return problems.flatMap(({ file, message, warning }) => (warning ? [] : [[file, message]])).sort();
    };
    const [review, toDrawer] = [fileIn('reviews'), pathOf(drawer)];
    const named = {
      'departures.yaml': (text: string) => text.replace(/^ *service: .*$/m, `  service: ${toDrawer}`),
      [review]: (text: string) => text.replace(/^service: .*$/m, `service: ${toDrawer}`),
    };
    expect(await problemsOf(contentWith(named, files))).toEqual(Object.keys(named).map((file) => [file, ofDrawer]));

    const changes = {
      [article]: link('/nowhere-at-all'),
      [pattern]: link(toDrawer),
      [news]: link(toDrawer),
      'navigation.yaml': (text: string) => text.replace(/to: \/rates\b/, `to: ${toDrawer}`),
      'redirects.yaml': (text: string) => text.replace(/^\[\]\n/m, '') + moved,
    };
    const wrong = contentWith(changes, files);
    expect(await problemsOf(wrong)).toEqual([
      [article, expect.stringContaining('Ссылка «/nowhere-at-all» никуда не ведёт')],
      ['navigation.yaml', ofDrawer],
      ['redirects.yaml', ofDrawer],
      [pattern, ofDrawer],
    ]);
    // A site that was published before a rule was is shown all the same.
    expect(made(wrong, options).paths).toEqual(made(files, options).paths);
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
    for (const [minute, files] of [one, two, three].entries()) await publishFiles(folder, files, at(minute));
    expect(listed(folder)).toEqual([third, second, first]);
    expect(readRevision(folder, second)?.keys().toArray()).toEqual([...two.keys()]);
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
      inputs,
      cache,
      drafts: false,
      logger: { error: (text: unknown) => void errors.push(String(text)) },
    };
    jest.useFakeTimers({ doNotFake: ['performance', 'nextTick', 'setImmediate', 'queueMicrotask'] });
  });

  afterEach(async () => {
    const stopped = stopFollowing?.();
    await pass(1_000);
    jest.useRealTimers();
    await stopped;
  });

  function follow(first: Current, run: RunJob = async () => {}, watch = false): void {
    stopFollowing = followContent({
      source,
      // Making its pages small ahead would take seconds of a processor.
      first: { ...first, site: { ...first.site, paths: [], files: [] } },
      watch,
      folders: paths.pictures(temporaryFolder()),
      run,
      onSite: (site) => shown.push(site),
      onRefused: (is) => refused.push(is),
      onOutdated: (is) => outdated.push(is),
      logger: pino({ enabled: false }),
    });
  }

  async function pass(milliseconds: number, is = () => false): Promise<void> {
    for (let passed = 0; passed < milliseconds && !is(); passed += 100) {
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
    await pass(2_000, () => shown.length > 0);
    expect(shown.map(({ revision }) => revision)).toEqual([first.site.revision]);
    expect(shown[0]?.id).not.toBe(first.site.id);
    expect(outdated).not.toContain(true);
  });

  test('shows what is published within a second, tells of what it cannot show, and needs no folder for it', async () => {
    follow(readSite(source, new Date()));
    await publish(edited);
    await pass(1_000, () => shown.length > 0);
    expect(shown.map(({ revision }) => revision)).toEqual([revisionOf(edited)]);
    // Invalid for this version, so the previous revision stays.
    await publish(contentWith({ 'company.yaml': (text) => `${text}novelty: 1\n` }, small));
    await pass(1_000, () => outdated.at(-1) === true);
    expect([shown.length, outdated.at(-1)]).toEqual([1, true]);
    await publish(again);
    await pass(1_000, () => shown.length > 1);
    expect([shown.length, outdated.at(-1)]).toEqual([2, false]);
    rmSync(join(source.published, revisionOf(again)), { recursive: true });
    writeFileSync(join(source.published, '.half'), 'name: Ящ');
    await pass(300);
    expect([shown.length, outdated.at(-1)]).toEqual([2, false]);
  });

  test('goes on after a restart with what it has shown, whatever the folder has now', async () => {
    const contentDir = join(source.published, revisionOf(small));
    await publish(small);
    source = { ...source, contentDir, published: temporaryFolder() };
    follow(readSite(source, new Date()));
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
    await pass(1_000);
    expect([tries, refused]).toEqual([1, [true]]);
    ends = 'well';
    // The folder is read in real time, which may take longer than the minute that is played.
    await eventually(async () => {
      await pass(1_000);
      return refused;
    }, [true, false]);
    await pass(70_000);
    expect([tries, refused]).toEqual([2, [true, false]]);
  });
});
