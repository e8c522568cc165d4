import { connect } from 'node:net';
import { basename } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { paths } from '../lib/paths.ts';
import { readFolder } from '../reading/content-files.ts';
import { ContentError } from '../reading/problem.ts';
import { browserHeaders } from '../testing/ask.ts';
import { contentFolder, contentWith, fileIn, shippedTest } from '../testing/content.ts';
import { all, type Element, one, parseHtml } from '../testing/html.ts';
import { articlePage } from '../testing/pages.ts';
import { shownSite, siteOf, startTestSite, textAt } from '../testing/test-site.ts';
import { entryScript, readCode } from './code.ts';
import { payloadPath } from './pages.ts';
import type { Site } from './site.ts';

function answersOf(site: Site): Map<string, string> {
  return new Map(
    [...site.paths, ...site.files, ...site.paths.map(payloadPath)].map((path) => [path, textAt(site, path)]),
  );
}

function differing(first: Site, second: Site): string[] {
  const before = answersOf(first);
  return [...answersOf(second)].flatMap(([path, text]) => (before.get(path) === text ? [] : [path]));
}

const wrong = { 'company.yaml': (text: string) => text.replace(/^email: .*$/m, 'email: nonsense') };

describe('a site', () => {
  const caseFile = fileIn('cases');
  const path = `/${caseFile.replace('.md', '')}`;
  let first: Site;
  beforeAll(async () => {
    first = await siteOf();
  }, 60_000);

  test('made twice is the same, byte by byte', async () => {
    const second = await siteOf({ files: readFolder(contentFolder()) });
    expect(second.id).toBe(first.id);
    expect(differing(first, second)).toEqual([]);
    expect(answersOf(first).size).toBeGreaterThan(2 * first.paths.length);
  }, 60_000);

  test('is named by content, address and third parties', async () => {
    const others = await Promise.all([
      shownSite({ files: contentWith({ [caseFile]: (text) => `${text}\n` }) }),
      shownSite({ siteUrl: 'https://example.ru' }),
      shownSite({ integrations: { metrikaId: '1' } }),
      shownSite({ drafts: true }),
    ]);
    expect(new Set([first, ...others].map(({ id }) => id)).size).toBe(1 + others.length);
    expect(first.id).toMatch(/^[0-9a-f]{16}$/);
  });

  test('has one document for both addresses of an article', () => {
    const tagsAt = (path: string) => [path, payloadPath(path)].map((one) => first.find(one)?.etag());
    expect(tagsAt(articlePage.byId)).toEqual(tagsAt(articlePage.to));
  });

  test('after a change of one page answers for that page and no other anew', async () => {
    const files = contentWith({ [caseFile]: (text) => `${text}\nЕщё один абзац.\n` });
    const second = await siteOf({ files });
    const number = second.paths.find((one) => one !== path && second.open(one).head.path === path);
    expect(differing(first, second).sort()).toEqual(
      [
        path,
        `${path}/_payload.json`,
        `${number}`,
        `${number}/_payload.json`,
        '/builds/latest.json',
        `/builds/meta/${second.id}.json`,
      ].sort(),
    );
    expect(second.paths).toEqual(first.paths);
  });

  test('after a change of a heading differs in the lists and feeds that show it, and no other page', async () => {
    const news = fileIn('news');
    const files = contentWith({ [news]: (text) => text.replace(/^heading: .*$/m, 'heading: Другой заголовок') });
    const second = await siteOf({ files });
    const pages = differing(first, second).filter((path) => second.paths.includes(path));
    expect(pages).toEqual(expect.arrayContaining([`/about/novosti/${basename(news, '.md')}`, '/map']));
    // The company page shows the newest item.
    expect(pages.filter((path) => !path.startsWith('/about') && path !== '/map')).toEqual([]);
  });

  test('cannot be published of wrong content', async () => {
    await expect(siteOf({ files: contentWith(wrong) })).rejects.toThrow(ContentError);
    const files = contentWith({ [caseFile]: (text) => `${text}\n[Никуда](/nowhere)\n` });
    await expect(siteOf({ files })).rejects.toThrow(/cases\/.*: Ссылка «\/nowhere» никуда не ведёт/);
  });

  test('is made of what was published before a rule was, and that cannot be published anew', async () => {
    const files = contentWith({ 'legal/vacancies.md': () => 'Слова' });
    await expect(shownSite({ files })).resolves.toMatchObject({ paths: first.paths });
    await expect(siteOf({ files })).rejects.toThrow('legal/vacancies.md:1: Такого файла сайт не читает');
  });
});

/** `whole` includes the status line and headers. */
function weigh(port: number, path: string): Promise<{ whole: number; body: number }> {
  return new Promise((resolve, reject) => {
    const headers = { host: 'localhost', 'accept-encoding': 'gzip, deflate, br, zstd', ...browserHeaders };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    let received: Buffer = Buffer.alloc(0);
    const socket = connect(port, '127.0.0.1', () => socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`));
    socket.setTimeout(5_000, () => socket.destroy(new Error(`${path} is not answered.`)));
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, Buffer.from(chunk)]);
      const end = received.indexOf('\r\n\r\n') + 4;
      const head = received.subarray(0, end).toString();
      const length = /content-length: (\d+)/i.exec(head)?.[1];
      const whole =
        length === undefined ? received.indexOf('\r\n0\r\n\r\n') >= 0 : received.length >= end + Number(length);
      if (end < 4 || !whole) return;
      socket.destroy();
      if (head.startsWith('HTTP/1.1 200') && /content-encoding: br/i.test(head))
        resolve({ whole: received.length, body: received.length - end });
      else reject(new Error(`${path} is answered with ${head}`));
    });
  });
}

shippedTest(
  'the first view of every page fits into the first round trip: 14,600 bytes; the median into 10 KB',
  async () => {
    const site = await startTestSite();
    const { content } = site.services.site;
    const limit = 14_600;
    const pages = [
      ...site.served.paths,
      ...['/cases?page=2', '/reviews?page=2', '/blog?page=2', '/about/novosti?page=2'],
      ...content.presets.map(({ slug }) => `/contact?preset=${slug}`),
    ];
    const weights: { path: string; bytes: number; withScript: number }[] = [];
    const script = await weigh(site.port, entryScript(readCode(paths.code).scripts));
    for (const path of pages) {
      // As after the first seconds, when filling has reached it.
      await site.served.find(path)?.prepare();
      const { whole, body } = await weigh(site.port, path);
      weights.push({ path, bytes: whole, withScript: body + script.body });
    }
    weights.sort((a, b) => b.bytes - a.bytes);
    const median = weights[Math.floor(weights.length / 2)]?.bytes ?? 0;
    const largest = weights.slice(0, 5).map(({ path, bytes, withScript }) => `  ${bytes} ${path} (${withScript})`);
    process.stdout.write(
      `First views of ${weights.length} pages: median ${median} bytes, the largest (in brackets: bodies of page and script):\n${largest.join('\n')}\n`,
    );
    expect(weights.filter(({ bytes }) => bytes > limit)).toEqual([]);
    expect(median).toBeLessThanOrEqual(10 * 1024);
  },
  120_000,
);

test('styles for wide windows and for paper are one file of all pages, and in none of them', async () => {
  const { pages, wide } = readCode(paths.code).styles;
  const narrow = /@media ?(screen and )?\((min-width: ?(48|64|74)em|forced-colors)|@media print/;
  expect(Object.keys(pages).filter((name) => narrow.test(pages[name] ?? ''))).toEqual([]);
  expect(wide.text).toMatch(narrow);
  const site = await startTestSite();
  const { status, headers, text } = await site.request(wide.path);
  expect([status, headers['content-type'], text]).toEqual([200, 'text/css; charset=utf-8', wide.text]);
  expect(headers['cache-control']).toContain('immutable');
});

test('all fonts of the site come to at most 14 KB, and none keeps text from being read', async () => {
  const site = await startTestSite();
  const fonts = new Set<string>();
  for (const path of site.served.paths) {
    const { text } = await site.request(path);
    for (const [face = ''] of text.matchAll(/@font-face\s*\{[^}]*\}/g)) {
      // System fonts need no loading.
      if (!face.includes('url(')) continue;
      expect(face).toMatch(/font-display:\s*(swap|optional|fallback)/);
      for (const [, url = ''] of face.matchAll(/url\(["']?([^"')]+)/g)) fonts.add(url);
    }
  }
  const answers = await Promise.all([...fonts].map((url) => site.request(url)));
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  expect(answers.reduce((sum, { body }) => sum + body.length, 0)).toBeLessThanOrEqual(14 * 1024);
});

test('a page with all of its pictures is at most 60 KB on a phone of 360 px and double density', async () => {
  const site = await startTestSite();
  const weights: { path: string; bytes: number }[] = [];
  for (const path of site.served.paths) {
    const html = (await site.request(path)).text;
    const pictures = all(parseHtml(html), 'picture').map((picture) => shownOnPhone(picture));
    let bytes = (await weigh(site.port, path)).whole;
    for (const picture of new Set(pictures)) {
      const answer = await site.request(picture, { headers: { 'accept-encoding': 'br' } });
      expect([path, picture, answer.status]).toEqual([path, picture, 200]);
      bytes += answer.body.length;
    }
    weights.push({ path, bytes });
  }
  weights.sort((a, b) => b.bytes - a.bytes);
  process.stdout.write(`With pictures: ${weights[0]?.bytes} ${weights[0]?.path}\n`);
  expect(weights.filter(({ bytes }) => bytes > 60_000)).toEqual([]);
}, 120_000);

/** For a browser with AVIF, at 360 px and double density. */
function shownOnPhone(picture: Element): string {
  const [source] = all(picture, 'source');
  const files = (source?.attrs.srcset ?? '').split(', ').map((entry) => entry.split(' '));
  const width = (descriptor = '0w') => Number.parseInt(descriptor, 10);
  // Page margins are 1 rem on both sides.
  const fitting = files.find(([, descriptor]) => width(descriptor) >= 2 * (360 - 32));
  return (source ? (fitting ?? files.at(-1)) : undefined)?.[0] ?? one(picture, 'img').attrs.src ?? '';
}
