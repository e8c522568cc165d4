import { describe, expect, test } from '@jest/globals';
import { type Kind, kinds } from '../reading/kinds.ts';
import { repository } from '../reading/repository.ts';
import { startTestSite } from '../testing/test-site.ts';

const site = await startTestSite({ repository: repository.parse('github:owner/name@main') });

test('without CMS_REPOSITORY there is no editor', async () => {
  const plain = await startTestSite({ site: site.served });
  for (const path of ['/admin', '/admin/', '/admin/config.json']) expect((await plain.request(path)).status).toBe(404);
});

describe('the editor', () => {
  test('may call the repository and nobody else, is kept by no cache and found by no search', async () => {
    const { status, headers, text } = await site.request('/admin/');
    expect([status, headers]).toMatchObject([
      200,
      {
        ...{ 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' },
        ...{ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' },
      },
    ]);
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none';.*;frame-ancestors 'none';/);
    expect(policy).toContain(";script-src 'self';");
    expect(policy.match(/(?:https?|wss?):[^\s;]*/g)?.toSorted()).toEqual([
      'https://api.github.com',
      'https://avatars.githubusercontent.com',
      'https://www.githubstatus.com',
    ]);
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
    const { status, headers } = await site.request(script);
    expect([status, headers]).toMatchObject([
      200,
      {
        'content-type': 'text/javascript; charset=utf-8',
        'content-encoding': 'gzip',
        'cache-control': 'public, max-age=31536000, immutable',
      },
    ]);
  });

  test('is at /admin/ alone, sends no other file, and takes nothing', async () => {
    const moved = await site.request('/admin');
    expect([moved.status, moved.headers.location]).toEqual([308, '/admin/']);
    for (const path of ['/admin/../config.ts', '/admin/nothing.js', '/admin/assets/'])
      expect([path, (await site.request(path)).status]).toEqual([path, 404]);
    expect((await site.request('/admin/', { method: 'POST' })).status).toBe(405);
  });
});

describe('the forms of the editor', () => {
  type Field = { name: string; label: string; widget: string; fields?: Field[]; options?: string[] };
  type Form = { name: string; label: string; folder?: string; file?: string; fields: Field[] };
  const within = (fields: readonly Field[]): Field[] =>
    fields.flatMap((field) => [field, ...within(field.fields ?? [])]);

  async function config(): Promise<{ collections: Form[]; singletons: Form[] }> {
    const { text, headers } = await site.request('/admin/config.json');
    expect(headers['cache-control']).toBe('no-store');
    return JSON.parse(text);
  }

  test('are one for each kind of file, with names in Russian, and choose of what exists', async () => {
    const { collections, singletons } = await config();
    const { categories, services } = site.services.site.content;
    const [folders, files] = [/\/\*\.md$/, /^[^*]*$/].map((form) =>
      Object.entries<Kind>(kinds)
        .filter(([name, { files, asFile }]) => form.test(files) && name !== 'article' && !asFile)
        .map(([, { title, files }]) => [title, `src/content/${files.replace('/*.md', '')}`]),
    );
    const blog = categories.blog.map(({ slug, text }) => [`Блог: ${text}`, `src/content/blog/${slug}`]);
    expect(collections.map(({ label, folder }) => [label, folder]).sort()).toEqual(
      [...(folders ?? []), ...blog].sort(),
    );
    expect(singletons.map(({ label, file }) => [label, file])).toEqual(files);
    const fields = [...collections, ...singletons].flatMap(({ fields }) => within(fields));
    expect(fields.length).toBeGreaterThan(150);
    for (const { label } of fields) expect(label).toMatch(/^(id|slug)|\p{Script=Cyrillic}/u);
    const review = collections.find(({ name }) => name === 'review')?.fields.find(({ name }) => name === 'service');
    expect(review?.options).toEqual(services.map(({ to }) => to));
  });

  test('have a field of its kind for a line, for sentences, days, choices, lists and pictures', async () => {
    const { collections } = await config();
    const fields = collections.find(({ name }) => name === 'case')?.fields ?? [];
    expect(Object.fromEntries(within(fields).map(({ name, widget }) => [name, widget]))).toMatchObject({
      ...{
        id: 'number',
        niche: 'string',
        description: 'text',
        method: 'text',
        published: 'datetime',
        draft: 'boolean',
      },
      ...{ marketplaces: 'select', results: 'list', better: 'select' },
      ...{ picture: 'object', src: 'image', body: 'richtext' },
    });
  });
});
