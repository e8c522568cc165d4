import { expect, test } from '@jest/globals';
import { previewEdition } from '../../scripts/dev/preview.ts';
import { wholeJson } from '../model/prose.ts';
import { openEditionStore } from '../store/store.ts';
import { testWorkshop } from '../testing/built.ts';
import { contentWith } from '../testing/content.ts';
import { all, parseHtml, textOf } from '../testing/html.ts';
import { editionOf, startTestSite, textAt } from '../testing/test-site.ts';

const article = 'blog/articles/post-of-may.md';
const news = 'news/post-in-the-drawer.md';
const [articlePath, newsPath] = ['/blog/articles/post-of-may', '/about/novosti/post-in-the-drawer'];

/** A post after the pattern of another one. */
function written(pattern: string, line: string): string {
  const text = contentWith({}).get(pattern)?.bytes().toString() ?? '';
  return text.replace(/^id: .*$/m, 'id: 999').replace(/^published: .*$/m, line);
}

const files = contentWith({
  [article]: () => written('blog/articles/koroba-i-pallety.md', 'published: 2031-05-02'),
  [news]: () => written('news/rabotaem-v-subbotu.md', '$&\ndraft: true'),
});

const made = (at: string) => editionOf({ files, at: new Date(at) });

/** Everything that an edition says, wherever it says it. */
function said(edition: Awaited<ReturnType<typeof made>>): string {
  const bodies = edition.entries.map(({ path }) => `${path} ${textAt(edition, path)}`);
  return [...bodies, wholeJson(edition.content())].join('\n');
}

test('a post comes out at midnight of its day where the company is, and the edition says when it ends', async () => {
  const before = await made('2031-05-01T20:59:59Z');
  expect(before.until).toEqual(new Date('2031-05-01T21:00:00Z'));
  expect(before.pages()).not.toContain(articlePath);
  const after = await made('2031-05-01T21:00:00Z');
  expect(after.pages()).toContain(articlePath);
  expect(textAt(after, '/blog')).toContain(`href="${articlePath}"`);
  expect(textAt(after, '/sitemap.xml')).toContain(articlePath);
  expect(after.id).not.toBe(before.id);
});

test('nothing that the site publishes gives away what has not come out', async () => {
  const text = said(await made('2031-05-01T20:59:59Z'));
  expect(text).not.toContain('post-of-may');
  expect(text).not.toContain('post-in-the-drawer');
});

test('a draft never comes out', async () => {
  expect((await made('2040-01-01T00:00:00Z')).pages()).not.toContain(newsPath);
});

test('the same files make the same edition at any time of one period', async () => {
  const [first, second] = [await made('2031-05-01T21:00:00Z'), await made('2031-05-02T04:30:12Z')];
  expect(second.id).toBe(first.id);
});

test('a preview shows both, marked in lists and on their pages, and keeps search engines out', async () => {
  const preview = await previewEdition(files, testWorkshop(), openEditionStore(':memory:', { for: 'make' }));
  const site = await startTestSite({ edition: preview, makePicture: preview.makePicture });
  const at = async (path: string) => (await site.request(path)).text;
  expect(preview.pages()).toEqual(expect.arrayContaining([articlePath, newsPath]));
  for (const [path, mark] of [
    [articlePath, /Выйдет 2\sмая 2031/],
    ['/blog', /Выйдет 2\sмая 2031/],
    [newsPath, /Черновик/],
    ['/about/novosti', /Черновик/],
  ] as const) {
    const marks = all(parseHtml(await at(path)), 'span', { class: 'sample-mark' }).map(textOf);
    expect([path, marks.filter((text) => mark.test(text)).length]).toEqual([path, 1]);
  }
  for (const path of [articlePath, newsPath]) expect(await at(path)).toContain('content="noindex"');
  expect(await at('/sitemap.xml')).not.toContain('post-of-may');
  expect(await at('/rss.xml')).not.toContain('post-of-may');
  // Pictures are made when they are asked for.
  const picture = await site.request(preview.sharePicture('/rates'));
  expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/png']);
  await site.close();
});

test('what is wrong with a post is known before its day', async () => {
  const wrong = contentWith({ [article]: (text) => `${text}\n[Никуда](/nowhere-at-all)\n` }, files);
  await expect(editionOf({ files: wrong, at: new Date('2031-05-01T12:00:00Z') })).rejects.toThrow(
    /post-of-may\.md:\d+: link: .* found \/nowhere-at-all/,
  );
});
