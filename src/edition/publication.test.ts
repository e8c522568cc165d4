import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { temporaryFolder } from '../leads/temporary-folder.ts';
import { paths } from '../paths.ts';
import { all, parseHtml, textOf } from '../testing/html.ts';
import { type Drafted, draftEdition } from './build.ts';
import { readCode } from './inputs.ts';

const article = 'blog/articles/post-of-may.md';
const news = 'news/post-in-the-drawer.md';
const [articlePath, newsPath] = ['/blog/articles/post-of-may', '/about/novosti/post-in-the-drawer'];

let contentDir: string;

/** Writes a post after the pattern of another one. */
function write(file: string, pattern: string, change: (text: string) => string): void {
  const text = readFileSync(join(contentDir, pattern), 'utf8').replace(/^id: .*$/m, 'id: 999');
  expect(change(text)).not.toBe(text);
  writeFileSync(join(contentDir, file), change(text));
}

function drafted(at: string, preview = false): Promise<Drafted> {
  return draftEdition({
    code: readCode(paths.code),
    contentDir,
    publicDir: paths.public,
    siteUrl: 'https://example.ru',
    integrations: {},
    at: new Date(at),
    preview,
  });
}

const bodyOf = ({ draft }: Drafted, path: string) => String(draft.resources.find((one) => one.path === path)?.body);

/** Everything that an edition says, wherever it says it. */
const said = ({ draft, content }: Drafted) =>
  [
    ...draft.resources.map(({ path, body }) => `${path} ${body.toString('latin1')}`),
    ...draft.made.map(({ path }) => path),
    JSON.stringify(content),
  ].join('\n');

beforeAll(() => {
  contentDir = temporaryFolder();
  cpSync(paths.content, contentDir, { recursive: true });
  write(article, 'blog/articles/koroba-i-pallety.md', (text) =>
    text.replace(/^published: .*$/m, 'published: 2031-05-02'),
  );
  write(news, 'news/rabotaem-v-subbotu.md', (text) => text.replace(/^published: .*$/m, '$&\ndraft: true'));
});

test('a post comes out at midnight of its day where the company is, and the edition says when it ends', async () => {
  const before = await drafted('2031-05-01T20:59:59Z');
  expect(before.until).toEqual(new Date('2031-05-01T21:00:00Z'));
  expect(before.draft.prerendered).not.toContain(articlePath);
  const after = await drafted('2031-05-01T21:00:00Z');
  expect(after.draft.prerendered).toContain(articlePath);
  expect(bodyOf(after, '/blog')).toContain(`href="${articlePath}"`);
  expect(bodyOf(after, '/sitemap.xml')).toContain(articlePath);
  expect(after.draft.id).not.toBe(before.draft.id);
});

test('nothing that the site publishes gives away what has not come out', async () => {
  const text = said(await drafted('2031-05-01T20:59:59Z'));
  expect(text).not.toContain('post-of-may');
  expect(text).not.toContain('post-in-the-drawer');
});

test('a draft never comes out', async () => {
  expect((await drafted('2040-01-01T00:00:00Z')).draft.prerendered).not.toContain(newsPath);
});

test('the same files make the same edition at any time of one period', async () => {
  const [first, second] = [await drafted('2031-05-01T21:00:00Z'), await drafted('2031-05-02T04:30:12Z')];
  expect(second.draft.id).toBe(first.draft.id);
});

test('a preview shows both, marked in lists and on their pages, and keeps search engines out', async () => {
  const preview = await drafted('2031-05-01T12:00:00Z', true);
  expect(preview.draft.prerendered).toEqual(expect.arrayContaining([articlePath, newsPath]));
  for (const [path, mark] of [
    [articlePath, /Выйдет 2\sмая 2031/],
    ['/blog', /Выйдет 2\sмая 2031/],
    [newsPath, /Черновик/],
    ['/about/novosti', /Черновик/],
  ] as const) {
    const marks = all(parseHtml(bodyOf(preview, path)), 'span', { class: 'sample-mark' }).map(textOf);
    expect([path, marks.filter((text) => mark.test(text)).length]).toEqual([path, 1]);
  }
  for (const path of [articlePath, newsPath]) expect(bodyOf(preview, path)).toContain('content="noindex"');
  expect(bodyOf(preview, '/sitemap.xml')).not.toContain('post-of-may');
  expect(bodyOf(preview, '/rss.xml')).not.toContain('post-of-may');
});

test('what is wrong with a post is known before its day', async () => {
  write(article, article, (text) => `${text}\n[Никуда](/nowhere-at-all)\n`);
  await expect(drafted('2031-05-01T12:00:00Z')).rejects.toThrow(/post-of-may\.md:\d+: link: .* found \/nowhere-at-all/);
});
