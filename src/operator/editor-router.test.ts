import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { type Kind, kinds } from '../reading/kinds.ts';
import { apiOf, type Repository, repository } from '../reading/repository.ts';
import { startTestSite } from '../testing/test-site.ts';
import { loadConfig } from './config.ts';

/** What the variable comes to. */
const parsed = (text: string) => loadConfig({ CMS_REPOSITORY: text }).repository;

describe('CMS_REPOSITORY', () => {
  test.each<[string, Repository, string]>([
    [
      'github:owner/name',
      { kind: 'github', name: 'owner/name', branch: undefined, folder: 'src/content', host: undefined },
      'https://api.github.com',
    ],
    [
      'github:owner/na.me@release/1.x:site/content',
      { kind: 'github', name: 'owner/na.me', branch: 'release/1.x', folder: 'site/content', host: undefined },
      'https://api.github.com',
    ],
    [
      'gitlab:group/sub.group/name@main',
      { kind: 'gitlab', name: 'group/sub.group/name', branch: 'main', folder: 'src/content', host: undefined },
      'https://gitlab.com/api/v4',
    ],
    [
      'gitea:https://git.example.ru:8443/owner/name:content',
      {
        kind: 'gitea',
        name: 'owner/name',
        branch: undefined,
        folder: 'content',
        host: 'https://git.example.ru:8443',
      },
      'https://git.example.ru:8443/api/v1',
    ],
  ])('%s', (text, meant, api) => {
    expect(parsed(text)).toEqual(meant);
    expect(apiOf(meant).rest).toBe(api);
  });

  test.each([
    'owner/name',
    'github:owner',
    'bitbucket:owner/name',
    'gitea:http://git.example.ru/owner/name',
    'github:a/b@',
  ])('cannot be %s, and says what it can be', (text) => {
    expect(() => parsed(text)).toThrow('CMS_REPOSITORY: a repository such as github:owner/name@main');
  });
});

const plain = await startTestSite();
const site = await startTestSite({ repository: repository.parse('github:owner/name@main') });

test.each(['/admin', '/admin/', '/admin/config.json'])('without CMS_REPOSITORY, %s does not exist', async (path) => {
  expect((await plain.request(path)).status).toBe(404);
});

describe('the editor', () => {
  test('may call the repository and nobody else, is kept by no cache and found by no search', async () => {
    const { status, headers, text } = await site.request('/admin/');
    expect([status, headers['cache-control'], headers['x-robots-tag']]).toEqual([200, 'no-store', 'noindex, nofollow']);
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none';.*;frame-ancestors 'none';/);
    expect(policy).toContain(";script-src 'self';");
    const others = policy.match(/(?:https?|wss?):[^\s;]*/g);
    expect(others?.toSorted()).toEqual([
      'https://api.github.com',
      'https://avatars.githubusercontent.com',
      'https://www.githubstatus.com',
    ]);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
    expect(text).toContain('<meta name="robots" content="noindex, nofollow">');
    expect(site.served.find('/admin/')).toBeUndefined();
  });

  test('changes the policy of no other page', async () => {
    for (const path of ['/', '/contact', '/nowhere']) {
      const { headers } = await site.request(path);
      expect(headers['content-security-policy']).not.toMatch(/github|unsafe-inline/);
    }
  });

  test('is one script of this site, sent compressed and kept for ever', async () => {
    const script = /<script defer src="([^"]+)"/.exec((await site.request('/admin/')).text)?.[1] ?? '';
    const { status, headers, body } = await site.request(script);
    expect([status, headers['content-type'], headers['content-encoding'], headers['cache-control']]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      'gzip',
      'public, max-age=31536000, immutable',
    ]);
    const text = gunzipSync(body).toString();
    const fonts = [...new Set(text.match(/\/admin\/assets\/[\w-]+\.woff2/g))];
    expect(fonts.length).toBeGreaterThan(0);
    for (const font of fonts) expect((await site.request(font)).headers['content-type']).toBe('font/woff2');
    expect(text).not.toMatch(/https:\/\/(unpkg\.com|cdn\.jsdelivr\.net)/);
  });

  test.each(['/admin/../config.ts', '/admin/nothing.js', '/admin/assets/'])('%s is nothing of it', async (path) => {
    expect((await site.request(path)).status).toBe(404);
  });

  test('leads /admin to where it is, and takes nothing', async () => {
    const { status, headers } = await site.request('/admin');
    expect([status, headers.location]).toEqual([308, '/admin/']);
    expect((await site.request('/admin/', { method: 'POST' })).status).toBe(405);
  });

  type Field = { name: string; label: string; hint?: string; widget: string; fields?: Field[]; options?: string[] };
  type Config = Record<
    'collections' | 'singletons',
    { name: string; folder?: string; file?: string; fields: Field[] }[]
  >;
  const within = (fields: readonly Field[]): Field[] =>
    fields.flatMap((field) => [field, ...within(field.fields ?? [])]);

  test('has a form for each kind of file, with names in Russian, and chooses what exists', async () => {
    const { text, headers } = await site.request('/admin/config.json');
    expect(headers['cache-control']).toBe('no-store');
    const { collections, singletons } = JSON.parse(text) as Config;
    const { categories, services } = site.services.site.content;
    const folders = Object.values(kinds).flatMap(({ files }) =>
      files.endsWith('/*.md') && files !== 'blog/*/*.md' ? [files.replace('/*.md', '')] : [],
    );
    expect(collections.map(({ folder }) => folder).toSorted()).toEqual(
      [...folders, ...categories.blog.map(({ slug }) => `blog/${slug}`)]
        .map((folder) => `src/content/${folder}`)
        .toSorted(),
    );
    const files = Object.values<Kind>(kinds).filter(({ files, asFile }) => !files.includes('*') && !asFile);
    expect(singletons.map(({ file }) => file)).toEqual(files.map(({ files }) => `src/content/${files}`));
    const fields = [...collections, ...singletons].flatMap(({ fields }) => within(fields));
    expect(fields.length).toBeGreaterThan(150);
    for (const { label } of fields) expect(label).toMatch(/^(id|slug)|\p{Script=Cyrillic}/u);
    const review = collections.find(({ name }) => name === 'review')?.fields.find(({ name }) => name === 'service');
    expect(review?.options).toEqual(services.map(({ to }) => to));
  });

  test('has a field of its kind for a line, for sentences, days, choices, lists and pictures', async () => {
    const { collections } = JSON.parse((await site.request('/admin/config.json')).text) as Config;
    const fields = collections.find(({ name }) => name === 'case')?.fields ?? [];
    const widgets = Object.fromEntries(within(fields).map(({ name, widget }) => [name, widget]));
    expect(widgets).toMatchObject({
      ...{
        id: 'number',
        niche: 'string',
        description: 'text',
        method: 'text',
        published: 'datetime',
        draft: 'boolean',
      },
      ...{
        marketplaces: 'select',
        results: 'list',
        better: 'select',
        picture: 'object',
        src: 'image',
        body: 'richtext',
      },
    });
  });
});
