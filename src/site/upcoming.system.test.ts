import { expect, test } from '@jest/globals';
import { ContentError } from '../reading/problem.ts';
import { type Change, contentWith, fileIn } from '../testing/content.ts';
import { all, parseHtml, textOf } from '../testing/html.ts';
import { shownSite, siteOf, startTestSite, textAt } from '../testing/test-site.ts';
import { payloadPath } from './pages.ts';
import type { Site } from './site.ts';

const article = 'blog/articles/post-of-may.md';
const news = 'news/post-in-the-drawer.md';
const [articlePath, newsPath] = ['/blog/articles/post-of-may', '/about/novosti/post-in-the-drawer'];

function written(pattern: string, line: string): string {
  const text = contentWith({}).get(pattern)?.bytes().toString() ?? '';
  return text.replace(/^id: .*$/m, 'id: 999').replace(/^published: .*$/m, line);
}

const pattern = fileIn('services');
const drawer = 'services/service-in-the-drawer.md';
const drawerPath = '/services/service-in-the-drawer';
const drawn = (text: string) => text.replace(/^order: .*$/m, 'order: 999\ndraft: true');

const files = contentWith({
  [drawer]: () => drawn(contentWith({}).get(pattern)?.bytes().toString() ?? ''),
  [article]: () => written(fileIn('blog/articles'), 'published: 2031-05-02'),
  [news]: () => written(fileIn('news'), 'published: 2031-04-30\ndraft: true'),
});

const made = (at: string, of = files) => shownSite({ files: of, at: new Date(at) });
const published = (at: string, of = files) => siteOf({ files: of, at: new Date(at) });

function said(site: Site): string {
  const bodies = [...site.paths, ...site.files, ...site.paths.map(payloadPath)].map(
    (path) => `${path} ${textAt(site, path)}`,
  );
  const pictures = site.pictures().map(({ path }) => path);
  return [...bodies, ...pictures, JSON.stringify(site.content)].join('\n');
}

test('a post comes out at midnight of its day where the company is, and the site says when it ends', async () => {
  const before = await made('2031-05-01T20:59:59Z');
  expect(before.until).toEqual(new Date('2031-05-01T21:00:00Z'));
  expect(before.paths).not.toContain(articlePath);
  const after = await made('2031-05-01T21:00:00Z');
  expect(after.paths).toContain(articlePath);
  expect(textAt(after, '/blog')).toContain(`href="${articlePath}"`);
  expect(textAt(after, '/sitemap.xml')).toContain(articlePath);
  expect(after.id).not.toBe(before.id);
});

test('nothing that the site publishes gives away what has not come out', async () => {
  const text = said(await made('2031-05-01T20:59:59Z'));
  expect(text).not.toContain('post-of-may');
  expect(text).not.toContain('-in-the-drawer');
});

test('a list leaves out a service that is a draft, and goes if it has no other', async () => {
  const alone = (text: string) => text.replace(/^related:.*(\n +- .*)*/m, `related:\n  - ${drawerPath}`);
  const site = await made('2031-05-02T09:00:00Z', contentWith({ [pattern]: alone }, files));
  const page = textAt(site, `/${pattern.replace('.md', '')}`);
  expect(page).not.toContain(drawerPath);
  const headings = all(parseHtml(page), 'h2').map(textOf);
  expect(headings).toContain('Цены');
  expect(headings).not.toContain('Вместе с этой услугой заказывают');
});

test('nothing that visitors see leads to a service that is a draft, or is about it alone', async () => {
  const wrong = async (changes: Record<string, Change>) => {
    const error = await published('2031-05-02T09:00:00Z', contentWith(changes, files)).catch(
      (caught: unknown) => caught,
    );
    if (!(error instanceof ContentError)) throw error;
    return error.problems.map(({ file, message }) => [file, message.includes(drawerPath)]).toSorted();
  };
  const link = (text: string) => `${text.trimEnd()}\n\n[Услуга из ящика](${drawerPath})\n`;
  const row = (more: string) => (text: string) => `${text.replace(/^\[\]$/m, '').trimEnd()}\n- ${more}\n`;
  // A draft may link to other drafts.
  expect(
    await wrong({
      ...{ [pattern]: link, [news]: link, 'redirects.yaml': row(`{ from: /drawer, to: ${drawerPath} }`) },
      'navigation.yaml': (text) => text.replace(/to: \/rates\b/, `to: ${drawerPath}`),
    }),
  ).toEqual([pattern, 'redirects.yaml', 'navigation.yaml'].toSorted().map((file) => [file, true]));
  const [review = ''] = [...files.keys()].filter((name) => /^reviews\/.*\.md$/.test(name));
  const [about, station] = [/^ *service: .*$/m, /to: \/services\/.*$/m];
  expect(
    await wrong({
      [review]: (text) => text.replace(about, `service: ${drawerPath}`),
      'departures.yaml': (text) => text.replace(about, `  service: ${drawerPath}`),
      'home.yaml': (text) => text.replace(station, `to: ${drawerPath}`),
    }),
  ).toEqual([review, 'departures.yaml', 'home.yaml'].toSorted().map((file) => [file, true]));
});

test('a draft never comes out', async () => {
  expect((await made('2040-01-01T00:00:00Z')).paths).not.toContain(newsPath);
});

test('the same files make the same site at any time of one period, and another in the next', async () => {
  const first = await made('2031-05-01T21:00:00Z');
  expect((await made('2031-05-02T04:30:12Z')).id).toBe(first.id);
  expect((await made(first.until.toISOString())).id).not.toBe(first.id);
});

test('a preview shows both, marked in lists and on their pages, and keeps search engines out', async () => {
  const preview = await shownSite({ files, drafts: true });
  const site = await startTestSite({ site: preview });
  const at = async (path: string) => (await site.request(path)).text;
  expect(preview.paths).toEqual(expect.arrayContaining([articlePath, newsPath]));
  for (const [path, mark] of [
    [articlePath, /Выйдет 2\sмая 2031/],
    ['/blog', /Выйдет 2\sмая 2031/],
    [newsPath, /Черновик/],
    ['/about/novosti', /Черновик/],
  ] as const) {
    const marks = all(parseHtml(await at(path)), 'span.sample-mark').map(textOf);
    expect([path, marks.filter((text) => mark.test(text)).length]).toEqual([path, 1]);
  }
  for (const path of [drawerPath, '/']) expect(textOf(parseHtml(await at(path)))).toContain('(черновик)');
  for (const path of [articlePath, newsPath, drawerPath]) expect(await at(path)).toContain('content="noindex"');
  expect(await at('/sitemap.xml')).not.toContain('post-of-may');
  expect(await at('/rss.xml')).not.toContain('post-of-may');
});

test('what is wrong with a post is known before its day', async () => {
  const wrong = contentWith({ [article]: (text) => `${text}\n[Никуда](/nowhere-at-all)\n` }, files);
  await expect(published('2031-05-01T12:00:00Z', wrong)).rejects.toThrow(
    /post-of-may\.md:\d+: Ссылка «\/nowhere-at-all» никуда не ведёт/,
  );
});
