import { describe, expect, test } from '@jest/globals';
import { type Kind, kinds } from '../reading/kinds.ts';
import { repository } from '../reading/repository.ts';
import { startTestSite } from '../testing/test-site.ts';

const site = await startTestSite({ repository: repository.parse('github:owner/name@main') });

test('without CMS_REPOSITORY there is no editor', async () => {
  const plain = await startTestSite({ site: site.served });
  expect((await plain.request('/admin/')).status).toBe(404);
});

describe('the editor', () => {
  test('may call the repository and nobody else, is kept by no cache and found by no search', async () => {
    const { status, headers } = await site.request('/admin/');
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

  test('is one script of this site, sent compressed and kept for ever', async () => {
    const script = /<script defer src="([^"]+)"/.exec((await site.request('/admin/')).text)?.[1] ?? '';
    const { status, headers } = await site.request(script);
    expect([status, headers]).toMatchObject([
      200,
      {
        'content-encoding': 'gzip',
        'cache-control': 'public, max-age=31536000, immutable',
      },
    ]);
  });

  test('is at /admin/ alone, and sends no other file', async () => {
    const moved = await site.request('/admin');
    expect([moved.status, moved.headers.location]).toEqual([308, '/admin/']);
    for (const path of ['/admin/../config.ts', '/admin/nothing.js', '/admin/assets/'])
      expect([path, (await site.request(path)).status]).toEqual([path, 404]);
  });
});

describe('the forms of the editor', () => {
  type Field = { name: string; label: string; widget: string; fields?: Field[]; options?: string[]; summary?: string };
  type Form = { name: string; label: string; folder?: string; file?: string; fields: Field[] };
  const within = (fields: readonly Field[]): Field[] =>
    fields.flatMap((field) => [field, ...within(field.fields ?? [])]);

  async function config(): Promise<{ collections: Form[]; singletons: Form[] }> {
    return JSON.parse((await site.request('/admin/config.json')).text);
  }

  test('are one for each kind of file, with names in Russian, and choose of what exists', async () => {
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

  test('name the entries of a list by their words, not by an id or a choice', async () => {
    const { collections, singletons } = await config();
    const lists = [...collections, ...singletons]
      .flatMap((form) => within(form.fields))
      .filter(({ summary }) => summary);
    const named = Object.fromEntries(lists.map(({ name, summary }) => [name, summary]));
    expect(named).toMatchObject({ groups: '{{fields.title}}', rows: '{{fields.text}}', lead: '{{fields.text}}' });
    expect(
      lists.flatMap(({ summary }) => summary).filter((one) => /\.(?:id|slug|kind|rate)\}/.test(String(one))),
    ).toEqual([]);
  });
});
