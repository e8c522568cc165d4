import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { paths } from '../lib/paths.ts';
import { type ContentFile, type ContentFiles, readFolder } from '../loading/content-files.ts';
import { type Kind, kinds } from '../loading/kinds.ts';
import { ContentError } from '../loading/problem.ts';
import { repository } from '../loading/repository.ts';
import { all, one, parseHtml, textOf } from '../tests/support/html.ts';
import { contentWith, fileIn } from '../tests/support/sample-content.ts';
import { shownSite, startTestSite } from '../tests/support/test-site.ts';
import { storeFailedPublication } from './failed-publication.ts';
import { publishAgain, publishFiles } from './revisions.ts';

const site = await startTestSite({ repository: repository.parse('github:owner/name@main') });

test('the editor is absent without CMS_REPOSITORY', async () => {
  const plain = await startTestSite({ site: site.served });
  const [page, editor] = [await plain.request('/admin/'), await plain.request('/admin/editor/')];
  expect([page.status, page.text, editor.status]).toEqual([200, expect.not.stringContaining('/admin/editor/'), 404]);
});

describe('the publication page', () => {
  const [{ published = '' }, { content, revision }] = [site.services, site.served];
  const said = async () => all(parseHtml((await site.request('/admin/')).text), '.publication p').map(textOf);
  const publish = (files: ContentFiles, at: string) => publishFiles(published, files, new Date(at));
  const shown = readFolder(paths.content);
  const other: ContentFiles = new Map([['company.yaml', shown.get('company.yaml') as ContentFile]]);

  test('has the current publication with its time, a later one that was reverted, and one that cannot be shown', async () => {
    expect(await said()).toEqual(['Посетители видят то, с чем запустили сайт.']);
    await publish(shown, '2026-11-20T10:05:00Z');
    const [now, back] = [
      'Посетители видят то, что опубликовано 20 ноября 2026 г. в 13:05.',
      'Вернуть опубликованное раньше можно на сервере: publish --back.',
    ];
    expect(await said()).toEqual([`${now} ${back}`]);
    // This publication has the date of a wrong clock.
    await publish(other, '2031-01-02T10:00:00Z');
    const wrong =
      'То, что опубликовано 2 января 2031 г. в 13:00, сервер показать не может: скажите тому, кто его ведёт.';
    expect(await said()).toEqual([`${now} ${wrong} ${back}`]);
    await publishAgain(published, revision);
    expect(await said()).toEqual([
      `${now} Позже, 2 января 2031 г. в 13:00, публиковали ещё, но вернули прежнее. ${back}`,
    ]);
  });

  test('has the time and places of refused edits, without quoting them or naming unpublished posts', async () => {
    const [post] = content.news;
    const at = (file: string) => ({
      file,
      line: 3,
      field: 'heading',
      message: '«Тайна» не подходит',
      instead: 'Тайна',
    });
    const files = ['rates.yaml', `news/${post?.slug}.md`, 'news/tajna.md', 'tajna.txt'];
    storeFailedPublication(published, new ContentError(files.map(at)), new Date('2026-11-20T12:10:00Z'));
    storeFailedPublication(published, new ContentError(files.map(at)), new Date('2026-11-20T12:15:00Z'));
    const { text } = await site.request('/admin/');
    const heading = textOf(one(parseHtml(text), '.publication h2'));
    expect(heading).toBe('Правки с 15:10 20 ноября 2026 г. не опубликованы');
    expect(all(parseHtml(text), '.publication li').map(textOf)).toEqual([
      'Тарифы: rates.yaml, строка 3',
      `Новости компании: news/${post?.slug}.md, строка 3`,
      'Новости компании: файл, которого нет на сайте, строка 3',
      'Ещё один файл',
    ]);
    expect(text).not.toMatch(/тайна|tajna/i);
    storeFailedPublication(published, new Error('ENOSPC'), new Date());
    expect((await said()).join(' ')).toContain('публикации помешал сбой');
    await publish(shown, '2026-11-20T12:20:00Z');
    expect((await said()).join()).toMatch(/^Посетители видят то, что опубликовано 20 ноября 2026 г\. в 15:20\./);
  });
});

describe('the editor', () => {
  test('may connect only to the repository by its CSP, and is excluded from caches and search engines', async () => {
    const { status, headers } = await site.request('/admin/editor/');
    expect([status, headers]).toMatchObject([
      200,
      { 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' },
    ]);
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none';.*;frame-ancestors 'none';/);
    expect(policy).toContain(";script-src 'self';");
    expect(policy.match(/(?:https?|wss?):[^\s;]*/g)?.toSorted()).toEqual([
      'https://api.github.com',
      'https://avatars.githubusercontent.com',
      'https://www.githubstatus.com',
    ]);
    expect((await site.request('/')).headers['content-security-policy']).not.toMatch(/github|unsafe-inline/);
  });

  test('has its only address at /admin/editor/, and serves no other file', async () => {
    for (const path of ['/admin', '/admin/editor']) {
      const moved = await site.request(path);
      expect([moved.status, moved.headers.location]).toEqual([308, `${path}/`]);
    }
    for (const path of ['/admin/../config.ts', '/admin/nothing.js', '/admin/assets/'])
      expect([path, (await site.request(path)).status]).toEqual([path, 404]);
  });
});

describe('the editor forms', () => {
  type Field = { name: string; label: string; widget: string; fields?: Field[]; options?: string[]; summary?: string };
  type Form = { name: string; label: string; folder?: string; file?: string; fields: Field[] };
  const within = (fields: readonly Field[]): Field[] =>
    fields.flatMap((field) => [field, ...within(field.fields ?? [])]);

  async function config(): Promise<{ collections: Form[]; singletons: Form[] }> {
    return JSON.parse((await site.request('/admin/config.json')).text);
  }

  test('exist for each kind of file, have Russian names, and offer existing values as choices', async () => {
    const { collections, singletons } = await config();
    const { categories, services } = site.services.site.content;
    const wanted = Object.entries<Kind>(kinds).flatMap(([name, { title, files, asFile }]) =>
      name === 'article' || asFile ? [] : [[title, `src/content/${files.replace('/*.md', '')}`]],
    );
    const blog = categories.blog.map(({ slug, text }) => [`Блог: ${text}`, `src/content/blog/${slug}`]);
    const forms = [...collections, ...singletons];
    expect(forms.map(({ label, folder, file }) => [label, folder ?? file]).sort()).toEqual([...wanted, ...blog].sort());
    for (const { label } of forms.flatMap(({ fields }) => within(fields)))
      expect(label).toMatch(/^(id|slug)|\p{Script=Cyrillic}/u);
    const review = collections.find(({ name }) => name === 'review')?.fields.find(({ name }) => name === 'service');
    expect(review?.options).toEqual(services.map(({ to }) => to));
  });

  test('offer no draft, also in a preview', async () => {
    const files = contentWith({ [fileIn('services')]: (text) => text.replace('---\n', '---\ndraft: true\n') });
    const preview = await shownSite({ files, drafts: true });
    const { request } = await startTestSite({ site: preview, repository: repository.parse('github:owner/name@main') });
    const { collections }: { collections: Form[] } = JSON.parse((await request('/admin/config.json')).text);
    const offered = new Set(collections.flatMap(({ fields }) => within(fields)).flatMap(({ options = [] }) => options));
    const { services } = preview.content;
    const isDraft = services.map(({ unpublished }) => unpublished === 'draft');
    expect(isDraft).toContain(true);
    expect(services.map(({ to }) => !offered.has(to))).toEqual(isDraft);
  });

  test('delete posts and pages, but no documents, which every site needs', async () => {
    const { collections } = await config();
    const deleted = Object.fromEntries(collections.map((form) => [form.name, 'delete' in form && form.delete]));
    expect(deleted).toMatchObject({ case: true, news: true, review: true, page: true, legal: false });
  });

  test('propose a number above those of drafts and of posts with a future date', async () => {
    const post = (id: number, field: RegExp, line: string) => () =>
      readFileSync(join(paths.content, fileIn('blog/articles')), 'utf8')
        .replace(/^id: .*$/m, `id: ${id}`)
        .replace(field, line);
    const files = contentWith({
      'blog/articles/draft.md': post(9002, /^published: .*$/m, 'published: 2026-11-01\ndraft: true'),
      'blog/articles/waiting.md': post(9001, /^published: .*$/m, 'published: 2031-11-01'),
    });
    const later = await startTestSite({
      site: await shownSite({ files }),
      repository: repository.parse('github:owner/name@main'),
    });
    const { collections }: { collections: { label: string; fields: { name: string; default?: number }[] }[] } =
      JSON.parse((await later.request('/admin/config.json')).text);
    const articles = collections.find(({ label }) => label.startsWith('Блог'));
    expect(articles?.fields.find(({ name }) => name === 'id')?.default).toBe(9003);
  });
});
