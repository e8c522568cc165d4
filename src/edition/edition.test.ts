import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '../leads/temporary-folder.ts';
import { paths } from '../paths.ts';
import { ContentError } from '../site/source.ts';
import { all, type Element, one, parseHtml } from '../testing/html.ts';
import { browserHeaders, siteUrl, startTestSite } from '../testing/test-site.ts';
import { buildEdition, type Workshop } from './build.ts';
import { entryScript, readCode } from './inputs.ts';
import { openEdition, readIndex } from './open.ts';
import { prepareEdition } from './prepare.ts';
import type { Draft } from './prerender.ts';
import { writeEdition } from './write.ts';

const workshop = (contentDir: string): Workshop => ({
  code: readCode(paths.code),
  contentDir,
  publicDir: paths.public,
  siteUrl,
  integrations: {},
});

/** Every file below a folder with the hash of its bytes, and every link with its target. */
function tree(dir: string): Map<string, string> {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true }).flatMap((entry): [string, string][] => {
    const path = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) return [[path.slice(dir.length + 1), `-> ${readlinkSync(path)}`]];
    if (!entry.isFile()) return [];
    return [[path.slice(dir.length + 1), createHash('sha256').update(readFileSync(path)).digest('hex')]];
  });
  return new Map(entries.sort(([a], [b]) => a.localeCompare(b)));
}

function indexOf(dir: string) {
  const index = readIndex(dir);
  if (index === undefined) throw new Error(`There is no edition in ${dir}.`);
  return index;
}

/** Addresses whose bytes differ between two editions. */
function differing(first: string, second: string): string[] {
  const tags = new Map(indexOf(first).entries.map(({ path, etag }) => [path, etag]));
  return indexOf(second)
    .entries.filter(({ path, etag }) => tags.get(path) !== etag)
    .map(({ path }) => path);
}

/** A copy of the content that can be changed. */
function contentCopy(): string {
  const dir = temporaryFolder();
  cpSync(paths.content, dir, { recursive: true });
  return dir;
}

function edit(contentDir: string, file: string, change: (text: string) => string): void {
  const path = join(contentDir, file);
  const text = readFileSync(path, 'utf8');
  expect(change(text)).not.toBe(text);
  writeFileSync(path, change(text));
}

describe('a build', () => {
  const editions = temporaryFolder();
  const content = contentCopy();
  const [caseFile = ''] = readdirSync(join(content, 'cases')).sort();
  const slug = caseFile.replace('.md', '');
  let first: string;
  beforeAll(async () => {
    first = await buildEdition(workshop(content), editions);
  }, 60_000);

  test('made twice is the same, byte by byte', async () => {
    const elsewhere = temporaryFolder();
    // Another folder of content, with other times, and nothing compressed before.
    const second = await buildEdition(workshop(contentCopy()), elsewhere);
    expect(indexOf(second).id).toBe(indexOf(first).id);
    expect([...tree(elsewhere)]).toEqual([...tree(editions)]);
    expect(tree(second).size).toBeGreaterThan(500);
  }, 60_000);

  test('is a plain static site beside what servers need', () => {
    for (const file of ['index.html', 'rates/index.html', 'rates/_payload.json', 'sitemap.xml', 'builds/latest.json'])
      for (const ending of ['', '.br', '.gz']) {
        // A file that packing would make larger stays as it is.
        if (file === 'builds/latest.json' && ending !== '') continue;
        expect([file + ending, existsSync(join(first, 'site', file + ending))]).toEqual([file + ending, true]);
      }
    for (const file of ['index.json', 'content.json', 'edition.conf', 'errors/503.html'])
      expect([file, existsSync(join(first, file))]).toEqual([file, true]);
    expect(readlinkSync(join(editions, 'current'))).toBe(indexOf(first).id);
  });

  test('after a change of one page compresses that page and no other', async () => {
    const cache = join(editions, 'cache');
    const before = new Map(readdirSync(cache).map((name) => [name, statSync(join(cache, name)).ino]));
    edit(content, `cases/${caseFile}`, (text) => `${text}\nЕщё один абзац.\n`);
    const second = await buildEdition(workshop(content), editions);
    const { id, entries } = indexOf(second);
    expect(id).not.toBe(indexOf(first).id);
    const number = indexOf(second)
      .entries.map(({ path }) => path)
      .find((path, index, all) => /^\/cases\/\d+$/.test(path) && all[index - 2] === `/cases/${slug}`);
    expect(differing(first, second).sort()).toEqual(
      [
        `/cases/${slug}`,
        `/cases/${slug}/_payload.json`,
        `${number}`,
        `${number}/_payload.json`,
        '/builds/latest.json',
        `/builds/meta/${id}.json`,
      ].sort(),
    );
    const after = new Map(readdirSync(cache).map((name) => [name, statSync(join(cache, name)).ino]));
    for (const [name, inode] of before) expect([name, after.get(name)]).toEqual([name, inode]);
    // The page, its payload, all alike at both addresses, and the two manifests, in two encodings each.
    expect(after.size - before.size).toBe(8);
    expect(entries).toHaveLength(indexOf(first).entries.length);
  }, 60_000);

  test('after a change of a heading changes the lists and feeds that show it, and no other page', async () => {
    const before = join(editions, 'current');
    const id = indexOf(before).id;
    const kept = join(editions, id);
    edit(content, 'news/rabotaem-v-subbotu.md', (text) => text.replace(/^heading: .*$/m, 'heading: Другой заголовок'));
    const second = await buildEdition(workshop(content), editions);
    const pages = differing(kept, second).filter((path) => indexOf(second).prerendered.includes(path));
    expect(pages).toEqual(expect.arrayContaining(['/about/novosti/rabotaem-v-subbotu', '/map']));
    expect(pages.filter((path) => !path.startsWith('/about/novosti') && path !== '/map')).toEqual([]);
  }, 60_000);

  test('that fails leaves the current edition as it is', async () => {
    const before = tree(editions);
    const broken = contentCopy();
    edit(broken, 'company.yaml', (text) => text.replace(/^email: .*$/m, 'email: nonsense'));
    await expect(buildEdition(workshop(broken), editions)).rejects.toThrow(ContentError);
    edit(broken, 'company.yaml', (text) => text.replace(/^email: .*$/m, 'email: info@example.ru'));
    edit(broken, `cases/${caseFile}`, (text) => `${text}\n[Никуда](/nowhere)\n`);
    await expect(buildEdition(workshop(broken), editions)).rejects.toThrow(/cases\/.*: link: .* found \/nowhere/);
    expect([...tree(editions)]).toEqual([...before]);
  });
});

describe('an edition on disk', () => {
  /** A small edition of one page with the given words. */
  function draftOf(words: string): Draft {
    return {
      id: createHash('sha256').update(words).digest('hex').slice(0, 16),
      timestamp: 0,
      resources: [
        {
          path: '/',
          file: 'index.html',
          type: 'text/html; charset=utf-8',
          body: Buffer.from(`<p>${words}</p>`.repeat(20)),
          cacheControl: 'no-cache',
          query: [],
          security: {},
        },
      ],
      made: [],
      prerendered: ['/'],
      errorPages: [],
      images: { share: '/share.png', shares: {}, placeholder: '/placeholder.svg', errors: {} },
    };
  }

  const content = JSON.parse(readFileSync(join(paths.shippedEditions, 'current', 'content.json'), 'utf8'));
  const write = (editionsDir: string, words: string) =>
    writeEdition(draftOf(words), content, {
      editionsDir,
      cacheDir: join(editionsDir, 'cache'),
      inputs: words,
      until: undefined,
    });
  const editionsIn = (dir: string) => readdirSync(dir).filter((name) => /^[\da-f]{16}/.test(name));

  test('goes when two newer ones have come, and leaves nothing behind', async () => {
    const dir = temporaryFolder();
    for (const words of ['один', 'два', 'три', 'четыре', 'пять']) await write(dir, words);
    expect(editionsIn(dir)).toHaveLength(3);
    expect(editionsIn(dir)).toContain(draftOf('пять').id);
    expect(readdirSync(dir).filter((name) => !editionsIn(dir).includes(name))).toEqual(['cache', 'current']);
    expect(readlinkSync(join(dir, 'current'))).toBe(draftOf('пять').id);
  });

  test('that comes back becomes the current one again', async () => {
    const dir = temporaryFolder();
    for (const words of ['один', 'два', 'один']) await write(dir, words);
    expect(readlinkSync(join(dir, 'current'))).toBe(draftOf('один').id);
    expect(indexOf(join(dir, 'current')).inputs).toBe('один');
    expect(editionsIn(dir)).toHaveLength(2);
  });

  test('is never missing while it is written anew', async () => {
    const dir = temporaryFolder();
    await write(dir, 'то же');
    let writing = true;
    const writer = (async () => {
      for (let count = 0; count < 30; count++) await write(dir, 'то же');
      writing = false;
    })();
    let missing = 0;
    let looks = 0;
    while (writing) {
      looks += 1;
      if (readIndex(join(dir, 'current')) === undefined) missing += 1;
      await new Promise(setImmediate);
    }
    await writer;
    expect(looks).toBeGreaterThan(100);
    expect(missing).toBe(0);
  });

  test('cleans up after a build that was killed, but not after one that is running', async () => {
    const dir = temporaryFolder();
    const [killed, running] = [`${draftOf('убит').id}.1`, `${draftOf('идёт').id}.2`];
    for (const name of [killed, running]) mkdirSync(join(dir, name));
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    utimesSync(join(dir, killed), longAgo, longAgo);
    await write(dir, 'один');
    expect([existsSync(join(dir, killed)), existsSync(join(dir, running))]).toEqual([false, true]);
  });

  test('may be written by several at once', async () => {
    const dir = temporaryFolder();
    const all = ['один', 'два', 'один', 'два', 'один'];
    await Promise.all(all.map((words) => write(dir, words)));
    expect(editionsIn(dir).sort()).toEqual([draftOf('один').id, draftOf('два').id].sort());
    expect(all).toContain(indexOf(join(dir, 'current')).inputs);
    expect(readdirSync(dir).filter((name) => !editionsIn(dir).includes(name))).toEqual(['cache', 'current']);
  });

  test('goes on being served after its folder has gone', async () => {
    const dir = await write(temporaryFolder(), 'слова');
    const edition = openEdition(dir, indexOf(dir));
    rmSync(dir, { recursive: true });
    const answer = edition.find('/')?.answer(new Set(), false);
    expect(answer?.body.toString()).toContain('слова');
    expect(edition.find('/')?.answer(new Set(['br']), false).headers).toContain('br');
  });

  test('is refused at start if its bodies are not whole', async () => {
    const dir = await write(temporaryFolder(), 'слова');
    const file = join(dir, 'bodies');
    writeFileSync(file, readFileSync(file).subarray(1));
    expect(() => openEdition(dir, indexOf(dir))).toThrow(/not whole/);
    rmSync(file);
    expect(() => openEdition(dir, indexOf(dir))).toThrow(/bodies/);
  });

  test('is found by what it was made from, and made if there is none', async () => {
    const [shippedDir, ownDir] = [temporaryFolder(), temporaryFolder()];
    let builds = 0;
    const contentDir = contentCopy();
    const prepare = () =>
      prepareEdition({
        ...workshop(contentDir),
        shippedDir: paths.shippedEditions,
        ownDir,
        onBuild: () => {
          builds += 1;
        },
      });
    const shipped = await prepare();
    expect([builds, editionsIn(ownDir)]).toEqual([0, []]);

    edit(contentDir, 'company.yaml', (text) => text.replace(/^slogan: .*$/m, 'slogan: Свой лозунг'));
    cpSync(join(paths.shippedEditions, 'cache'), join(ownDir, 'cache'), { recursive: true });
    const own = await prepare();
    expect([builds, editionsIn(ownDir)]).toEqual([1, [own.id]]);
    expect(own.content().company.slogan).toBe('Свой лозунг');
    expect(own.id === shipped.id).toBe(false);

    expect((await prepare()).id).toBe(own.id);
    expect(builds).toBe(1);
    writeFileSync(join(ownDir, 'current', 'index.json'), '{"half":');
    expect((await prepare()).id).toBe(own.id);
    expect(builds).toBe(2);
    expect(editionsIn(shippedDir)).toEqual([]);
  }, 60_000);
});

/** Bytes of an answer as they come over the wire: `whole` with status line and headers, and its body alone. */
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

test('the first view of every page fits into the first round trip: 14,600 bytes; the median into 10 KB', async () => {
  const site = await startTestSite();
  const { content } = site.services.site;
  const pages = [
    ...site.edition.prerendered,
    ...['/cases?page=2', '/reviews?page=2', '/blog?page=2', '/about/novosti?page=2'],
    ...content.presets.map(({ slug }) => `/contact?preset=${slug}`),
  ];
  const weights: { path: string; bytes: number; withScript: number }[] = [];
  const script = await weigh(site.port, entryScript(readCode(paths.code).scripts));
  for (const path of pages) {
    const { whole, body } = await weigh(site.port, path);
    weights.push({ path, bytes: whole, withScript: body + script.body });
  }
  await site.close();
  weights.sort((a, b) => b.bytes - a.bytes);
  const median = weights[Math.floor(weights.length / 2)]?.bytes ?? 0;
  const largest = weights.slice(0, 5).map(({ path, bytes, withScript }) => `  ${bytes} ${path} (${withScript})`);
  process.stdout.write(
    `First views of ${weights.length} pages: median ${median} bytes, the largest (in brackets: bodies of page and script):\n${largest.join('\n')}\n`,
  );
  expect(weights.filter(({ bytes }) => bytes > 14_600)).toEqual([]);
  expect(median).toBeLessThanOrEqual(10 * 1024);
});

test('all fonts of an edition come to at most 14 KB, and none keeps text from being read', async () => {
  const site = await startTestSite();
  const fonts = new Set<string>();
  for (const path of site.edition.prerendered) {
    const { text } = await site.request(path);
    for (const [face = ''] of text.matchAll(/@font-face\s*\{[^}]*\}/g)) {
      expect(face).toMatch(/font-display:\s*(swap|optional|fallback)/);
      for (const [, url = ''] of face.matchAll(/url\(["']?([^"')]+)/g)) fonts.add(url);
    }
  }
  const answers = await Promise.all([...fonts].map((url) => site.request(url)));
  await site.close();
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  expect(answers.reduce((sum, { body }) => sum + body.length, 0)).toBeLessThanOrEqual(14 * 1024);
});

test('a page with all of its pictures is at most 60 KB on a phone of 360 px and double density', async () => {
  const site = await startTestSite();
  const weights: { path: string; bytes: number }[] = [];
  for (const path of site.edition.prerendered) {
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
  await site.close();
  weights.sort((a, b) => b.bytes - a.bytes);
  process.stdout.write(`With pictures: ${weights[0]?.bytes} ${weights[0]?.path}\n`);
  expect(weights.filter(({ bytes }) => bytes > 60_000)).toEqual([]);
});

/** The file that a browser with AVIF takes: the narrowest that fills 360 px at double density. */
function shownOnPhone(picture: Element): string {
  const [source] = all(picture, 'source');
  const files = (source?.attributes.srcset ?? '').split(', ').map((entry) => entry.split(' '));
  const width = (descriptor = '0w') => Number.parseInt(descriptor, 10);
  // The page has a margin of 1 rem on both sides.
  const fitting = files.find(([, descriptor]) => width(descriptor) >= 2 * (360 - 32));
  return (source ? (fitting ?? files.at(-1)) : undefined)?.[0] ?? one(picture, 'img').attributes.src ?? '';
}
