import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { loadConfig } from '../config.ts';
import { variantOf } from '../edition/code.ts';
import { type EditionIndex, readIndex } from '../edition/edition-index.ts';
import { writeEntries } from '../edition/entries.ts';
import { contentType } from '../edition/resource.ts';
import { openEditions } from '../edition/stores.ts';
import { paths } from '../lib/paths.ts';
import { siteUrl as testSiteUrl } from '../testing/built.ts';
import { listen } from '../testing/listen.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { builtEdition, startTestSite } from '../testing/test-site.ts';
import { workshopOf } from './content.ts';
import { fingerprints } from './indexnow.ts';
import { korob } from './testing.ts';

const siteUrl = 'https://korob.example';
const key = 'f3a1c9d07b5e4826';

/** The search engine's door: it remembers what was brought, and answers as it is told. */
let brought: {
  type: string | undefined;
  body: { host: string; key: string; keyLocation: string; urlList: string[] };
}[];
let answers: { status: number; headers?: Record<string, string>; body?: string }[];

const door = createServer(async (req, res) => {
  brought.push({ type: req.headers['content-type'], body: JSON.parse(await text(req)) });
  const { status, headers, body } = answers.shift() ?? { status: 200 };
  res.writeHead(status, headers).end(body ?? '{"success":true}');
});
const endpoint = `http://127.0.0.1:${await listen(door)}/indexnow`;

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  brought = [];
  answers = [];
});

const run = (args: string[] = [], env: Record<string, string> = {}) =>
  korob(folder, ['indexnow', ...args], { SITE_URL: siteUrl, INDEXNOW_KEY: key, INDEXNOW_ENDPOINT: endpoint, ...env });
const submitted = () => brought.flatMap(({ body }) => body.urlList);
const at = (...pages: string[]) => pages.map((page) => siteUrl + page);

/** Publishes an edition with these pages: what stands in their main parts, by their paths. */
function publish(pages: Record<string, string>, style = 'p{}'): void {
  const editions = openEditions(folder, 'make');
  const [shipped] = editions.shipped?.everyEdition() ?? [];
  const sample = shipped && readIndex(shipped.root, editions);
  if (shipped === undefined || sample === undefined) throw new Error('Nothing was shipped; run the build first.');
  const profile = (ending: string) => ({
    name: ending,
    type: contentType(ending),
    cacheControl: 'no-cache',
    query: [],
    security: {},
  });
  const locations = Object.keys(pages).map((path) => `<url><loc>${siteUrl}${path}</loc></url>`);
  const html = (path: string, words: string) =>
    `<title>${path}</title><style>${style}</style><body><main id="main">${words}</main></body>`;
  const entry = (path: string, profile: number, body: string) =>
    ({ path, profile, hash: editions.keep(body), recipe: false, shareMark: '' }) as const;
  const index: EditionIndex = {
    ...sample,
    profiles: [profile('.html'), profile('.xml')],
    entries: editions.keep(
      writeEntries([
        ...Object.entries(pages).map(([path, words]) => entry(path, 0, html(path, words))),
        entry('/sitemap.xml', 1, `<urlset>${locations.join('')}</urlset>`),
      ]),
    ),
  };
  const root = editions.keep(JSON.stringify(index));
  const variant = variantOf(workshopOf(loadConfig({ SITE_URL: siteUrl }, paths.content)));
  editions.setEdition({ ...shipped, variant, snapshot: root, root, until: null });
  editions.publish(root, new Date());
  editions.close();
}

describe('what is submitted', () => {
  test('is every page at first, with the key and where it lies', async () => {
    publish({ '/': 'Главная', '/rates': 'Тарифы' });
    expect(await run()).toEqual({ code: 0, stdout: '', stderr: `2 pages accepted by ${new URL(endpoint).host}.\n` });
    expect(brought).toEqual([
      {
        type: expect.stringMatching(/^application\/json/),
        body: { host: 'korob.example', key, keyLocation: `${siteUrl}/${key}.txt`, urlList: at('/', '/rates') },
      },
    ]);
  });

  test('is later what says something else, is new, or has gone; and nothing twice', async () => {
    publish({ '/': 'Главная', '/rates': 'Тарифы', '/old': 'Старое' });
    await run();
    brought = [];
    expect((await run()).stderr).toBe('Nothing has changed since search engines were last told.\n');
    expect(brought).toEqual([]);
    publish({ '/': 'Главная', '/rates': 'Другие тарифы', '/new': 'Новое' });
    await run();
    expect(submitted().sort()).toEqual(at('/new', '/old', '/rates'));
    brought = [];
    await run();
    expect(brought).toEqual([]);
  });

  test('is no page for a new release that says the same in another look', async () => {
    publish({ '/': 'Главная' });
    await run();
    brought = [];
    publish({ '/': 'Главная' }, 'p{color:red}');
    await run();
    expect(brought).toEqual([]);
  });

  test('is every page again with --all, or at another address of the site', async () => {
    publish({ '/': 'Главная', '/rates': 'Тарифы' });
    await run();
    brought = [];
    await run(['--all']);
    expect(submitted()).toEqual(at('/', '/rates'));
    const file = join(folder, 'indexnow.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(siteUrl, 'https://elsewhere.example'));
    brought = [];
    await run();
    expect(submitted()).toEqual(at('/', '/rates'));
  });

  test('with --dry-run is shown and not sent, key or no key', async () => {
    publish({ '/': 'Главная', '/rates': 'Тарифы' });
    expect(await run(['--dry-run'], { INDEXNOW_KEY: '' })).toEqual({
      code: 0,
      stdout: `${siteUrl}/\n${siteUrl}/rates\n`,
      stderr: '2 pages changed, 0 gone. Nothing was sent.\n',
    });
    expect([brought, existsSync(join(folder, 'indexnow.json'))]).toEqual([[], false]);
  });

  test('is at most 10,000 addresses a request; what was accepted is remembered, though a later request is not', async () => {
    const names = Array.from({ length: 10_001 }, (_, index) => `/p/${index}`);
    publish({ '/': 'Главная' });
    // So many were there once and have gone: no need to make as many pages.
    const pages = Object.fromEntries(names.map((name) => [name, 'x']));
    writeFileSync(join(folder, 'indexnow.json'), JSON.stringify({ siteUrl, pages }));
    answers = [{ status: 200 }, { status: 500 }];
    expect((await run()).code).toBe(1);
    expect(brought.map(({ body }) => body.urlList.length)).toEqual([10_000, 2]);
    brought = [];
    await run();
    expect(submitted()).toEqual(at('/p/9999', '/p/10000'));
  });
});

describe('what is not accepted is not remembered, and the message says what to do', () => {
  test.each([
    [202, `${siteUrl}/${key}.txt`],
    [400, 'INDEXNOW_ENDPOINT'],
    [403, 'the same INDEXNOW_KEY'],
    [422, 'SITE_URL must be'],
    [429, 'in 15 minutes'],
    [404, 'INDEXNOW_ENDPOINT'],
    [301, 'redirects are not followed'],
    [503, 'run this again later'],
  ])('%i', async (status, advice) => {
    publish({ '/': 'Главная' });
    answers = [{ status, headers: { 'retry-after': '900' }, body: '{"success":false,"message":"Invalid\\u001bkey"}' }];
    const { code, stderr } = await run();
    expect([code, stderr]).toEqual([1, expect.stringContaining(advice)]);
    if (status !== 301) expect(stderr).toContain(`${endpoint} answered ${status} (Invalid key)`);
    expect(existsSync(join(folder, 'indexnow.json'))).toBe(false);
    await run();
    expect(submitted()).toEqual(at('/', '/'));
  });

  test('no answer at all', async () => {
    publish({ '/': 'Главная' });
    const { code, stderr } = await run([], { INDEXNOW_ENDPOINT: 'http://127.0.0.1:9/indexnow' });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^IndexNow at 127\.0\.0\.1:9: /)]);
    expect(existsSync(join(folder, 'indexnow.json'))).toBe(false);
  });
});

describe('nothing is submitted', () => {
  test.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://site.localhost'])('for %s', async (local) => {
    const { code, stderr } = await run([], { SITE_URL: local });
    expect([code, stderr]).toEqual([
      1,
      `SITE_URL is ${local}, which search engines cannot reach; set it to the address of the site.\n`,
    ]);
    expect(brought).toEqual([]);
  });

  test('without a key, or with one that is none', async () => {
    publish({ '/': 'Главная' });
    expect(await run([], { INDEXNOW_KEY: '' })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^INDEXNOW_KEY is not set\. /),
    });
    for (const wrong of ['short', 'with_underscore', 'a'.repeat(129)]) {
      expect((await run([], { INDEXNOW_KEY: wrong })).stderr).toContain(
        `INDEXNOW_KEY=${wrong}: 8 to 128 letters, digits and "-"`,
      );
    }
    expect(brought).toEqual([]);
  });

  test('without an edition, or with a memory that cannot be read', async () => {
    expect((await run()).stderr).toContain('"publish" or start the server first');
    publish({ '/': 'Главная' });
    writeFileSync(join(folder, 'indexnow.json'), '{"half":');
    expect((await run()).stderr).toMatch(/indexnow\.json cannot be read .* delete it/);
    expect(brought).toEqual([]);
  });
});

test('every page of the real site says something of its own', async () => {
  const edition = await builtEdition();
  const pages = fingerprints(edition, testSiteUrl);
  expect(pages.size).toBeGreaterThan(10);
  expect(pages.size).toBeLessThan(edition.pages().length);
  expect(new Set(pages.values()).size).toBe(pages.size);
});

describe('the key file', () => {
  test('holds the key, under its name and no other', async () => {
    const site = await startTestSite({ indexNowKey: 'AbCd-1234' });
    const { status, headers, text } = await site.request('/AbCd-1234.txt');
    expect([status, headers['content-type'], text]).toEqual([200, 'text/plain; charset=utf-8', 'AbCd-1234']);
    expect((await site.request('/AbCd-1234.txt', { method: 'POST' })).status).toBe(405);
    expect((await site.request('/abcd-1234.txt')).status).toBe(404);
    expect((await site.request('/robots.txt')).text).toContain('Sitemap');
  });

  test('is not there without a key', async () => {
    const site = await startTestSite();
    expect((await site.request('/undefined.txt')).status).toBe(404);
  });
});
