import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { paths } from '../lib/paths.ts';
import type { Content } from '../model/content.ts';
import { type ContentFiles, readFolder } from '../reading/content-files.ts';
import { ContentError } from '../reading/problem.ts';
import { search } from '../search/search.ts';
import { type EditionStore, openEditionStore, openOrReplace } from '../store/store.ts';
import { browserHeaders } from '../testing/ask.ts';
import { builtAt, siteUrl, testWorkshop } from '../testing/built.ts';
import { type Change, contentFolder, contentWith, fileIn, shippedTest } from '../testing/content.ts';
import { all, type Element, one, parseHtml } from '../testing/html.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { siteOf, type MadeEdition, startTestSite, textAt } from '../testing/test-site.ts';
import { entryScript, readCode, variantOf } from './code.ts';
import { entriesOf, readIndex } from './edition-index.ts';
import { firstEdition } from './first.ts';
import { currentEdition } from './fitting.ts';
import { type Edition, openEdition } from './open.ts';
import { prune } from './prune.ts';
import { publish, publishBack, renew } from './publish.ts';
import { type Editions, openEditions } from './stores.ts';

const workshop = testWorkshop();
const options = (store: EditionStore) => ({ store, workshop, at: builtAt });

/** A store in memory that knows nothing of what the build has made. */
const empty = () => openEditionStore(':memory:', { for: 'make' });

/** Addresses whose bytes differ between two editions. */
function differing(first: MadeEdition, second: MadeEdition): string[] {
  const bodies = new Map(first.entries.map(({ path, hash }) => [path, hash]));
  return second.entries.flatMap(({ path, hash }) => (bodies.get(path) === hash ? [] : [path]));
}

/** The content that ships with another heading on one page. */
const headed = (heading: string): Record<string, Change> => ({
  'pages/about.md': (text) => text.replace(/^heading: .*$/m, `heading: ${heading}`),
});
const saying = (heading: string) => contentWith(headed(heading));

/** What stands there in an edition, if it can be read. */
const said = (edition: Pick<Edition, 'find'> | undefined) =>
  edition && /<h1[^>]*>([^<]*)/.exec(textAt(edition, '/about'))?.[1];

const wrong = { 'company.yaml': (text: string) => text.replace(/^email: .*$/m, 'email: nonsense') };

describe('an edition', () => {
  const store = empty();
  const caseFile = fileIn('cases');
  const path = `/${caseFile.replace('.md', '')}`;
  let first: MadeEdition;
  beforeAll(async () => {
    first = await siteOf({ store });
  }, 60_000);

  test('made twice is the same, byte by byte', async () => {
    const second = await siteOf({ store: empty(), files: readFolder(contentFolder()) });
    expect(second.index).toEqual(first.index);
    expect(second.entries.length).toBeGreaterThan(2 * first.pages().length);
  }, 60_000);

  test('after a change of one page is made of that page and no other anew', async () => {
    const before = store.hashes();
    const files = contentWith({ [caseFile]: (text) => `${text}\nЕщё один абзац.\n` });
    const second = await siteOf({ store, files });
    const page = second.entries.find((one) => one.path === path);
    const number = second.entries.find((one) => one !== page && one.hash === page?.hash)?.path;
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
    expect(second.entries).toHaveLength(first.entries.length);
    const fresh = [...store.hashes()].filter((hash) => !before.has(hash));
    // The page and its payload, alike at both addresses, and the two manifests.
    const bodies = new Set(second.entries.map(({ hash }) => hash));
    expect(fresh.filter((hash) => bodies.has(hash))).toHaveLength(4);
    const searched = [second.index.search, ...String(store.bytes(second.index.search)).matchAll(/\b[0-9a-f]{32}\b/g)];
    const forSearch = new Set(searched.map(String));
    // The file, the list of files, its text, the words of its neighbours, the posts, the index, its addresses, and what
    // was used for it.
    expect(fresh.filter((hash) => !bodies.has(hash) && !forSearch.has(hash)).length).toBeLessThanOrEqual(8);
  });

  test('after a change of a heading changes the lists and feeds that show it, and no other page', async () => {
    const news = fileIn('news');
    const files = contentWith({ [news]: (text) => text.replace(/^heading: .*$/m, 'heading: Другой заголовок') });
    const second = await siteOf({ store, files });
    const pages = differing(first, second).filter((path) => second.pages().includes(path));
    expect(pages).toEqual(expect.arrayContaining([`/about/novosti/${basename(news, '.md')}`, '/map']));
    // The page about the company shows the newest.
    expect(pages.filter((path) => !path.startsWith('/about') && path !== '/map')).toEqual([]);
  });

  test('of wrong content is not made, and what is published stays', async () => {
    await publish(readFolder(paths.content), options(store));
    const [published] = store.publications();
    await expect(publish(contentWith(wrong), options(store))).rejects.toThrow(ContentError);
    const files = contentWith({ [caseFile]: (text) => `${text}\n[Никуда](/nowhere)\n` });
    await expect(publish(files, options(store))).rejects.toThrow(/cases\/.*: Ссылка «\/nowhere» никуда не ведёт/);
    expect(store.publications()).toEqual([published]);
    expect(currentEdition(store, variantOf(workshop), builtAt)?.index.id).toBe(first.id);
  });
});

test('content that was published before a rule was made is made again, and cannot be published anew', async () => {
  const store = empty();
  const files = contentWith({ 'legal/vacancies.md': () => 'Слова' });
  const { snapshot } = await siteOf({ store, files, again: true });
  store.publish(snapshot, builtAt);
  const later = new Date(builtAt.getTime() + 90 * 86_400_000);
  await expect(renew({ ...options(store), at: later })).resolves.toMatchObject({ snapshot });
  const refused = publish(files, options(empty()));
  await expect(refused).rejects.toThrow('legal/vacancies.md:1: Такого документа на сайте нет');
}, 60_000);

describe('what is published', () => {
  /** A store of its own in a folder, over what the build has made. */
  function own(): { dataDir: string; editions: Editions } {
    const dataDir = temporaryFolder();
    return { dataDir, editions: openEditions(dataDir, 'make') };
  }

  test('is kept three contents long, for going back, and what went leaves nothing behind', async () => {
    const { editions } = own();
    const snapshots: string[] = [];
    for (const words of ['Один', 'Два', 'Три', 'Четыре', 'Пять']) {
      snapshots.unshift((await publish(saying(words), options(editions))).edition.snapshot);
    }
    const contents = () => [...new Set(editions.everyEdition().map(({ snapshot }) => snapshot))];
    expect(contents()).toHaveLength(5);
    prune(editions, variantOf(workshop), builtAt);
    expect(editions.publications().map(({ snapshot }) => snapshot)).toEqual(snapshots.slice(0, 3));
    expect(contents().sort()).toEqual(snapshots.slice(0, 3).sort());
    const pruned = editions.ownHashes().size;

    const { editions: fresh } = own();
    for (const words of ['Три', 'Четыре', 'Пять']) await publish(saying(words), options(fresh));
    expect(pruned).toBe(fresh.ownHashes().size);
  }, 60_000);

  test('and comes back is shown again, and is not made again', async () => {
    const { editions } = own();
    const first = await publish(saying('Один'), options(editions));
    await publish(saying('Два'), options(editions));
    const made = editions.everyEdition();
    const again = await publish(saying('Один'), options(editions));
    expect(again.edition).toEqual(first.edition);
    expect(currentEdition(editions, variantOf(workshop), builtAt)?.index.id).toBe(first.edition.id);
    expect(editions.everyEdition()).toEqual(made);
  });

  test('may be published by several processes at once, and there is always something to show', async () => {
    const { dataDir, editions } = own();
    const variant = variantOf(workshop);
    await publish(saying('Один'), options(editions));
    const reader = openEditions(dataDir, 'serve');
    const exits = ['Два', 'Три', 'Четыре'].map(async (heading) => {
      const folder = contentFolder(headed(heading));
      const env = { DATA_DIR: dataDir, SITE_URL: siteUrl, CONTENT_DIR: folder };
      const child = spawn(process.execPath, [paths.commands, 'publish'], { env, stdio: 'ignore' });
      const [code] = await once(child, 'exit');
      return code;
    });
    let publishing = true;
    const published = Promise.all(exits).finally(() => {
      publishing = false;
    });
    const shown = new Set<string | undefined>();
    while (publishing) {
      shown.add(said(openEdition(currentEdition(reader, variant, new Date())?.index, reader)));
      await sleep(5);
    }
    expect(await published).toEqual([0, 0, 0]);
    expect(reader.publications()).toHaveLength(4);
    expect(shown.has(undefined)).toBe(false);
    expect(shown.size).toBeGreaterThan(1);
    reader.close();
  }, 120_000);

  shippedTest('lies in memory only as far as there is room, and a walk of all pages takes none of it', async () => {
    const { editions } = own();
    const { edition: index } = await publish(saying('Слова'), options(editions));
    let reads = 0;
    const heavy: typeof editions = {
      ...editions,
      stored: () => {
        reads += 1;
        return { encoding: 'gzip', bytes: Buffer.alloc(256 * 1024) };
      },
    };
    const edition = openEdition(index, heavy);
    const accepted = new Set(['gzip'] as const);
    const ask = (path = '') => edition?.find(path)?.answer(accepted, false);
    const [first, ...others] = edition?.pages() ?? [];
    for (let times = 0; times < 4; times++) ask(first);
    expect(reads).toBe(2);
    for (const path of others.slice(0, 40)) ask(path);
    ask(first);
    expect(reads).toBe(42);
    for (const path of others.slice(40, 60)) for (let twice = 0; twice < 2; twice++) ask(path);
    ask(first);
    expect(reads).toBe(83);
  });

  test('goes on being served after its file has gone', async () => {
    const { dataDir, editions } = own();
    await publish(saying('Слова'), options(editions));
    const reader = openEditions(dataDir, 'serve');
    const [row] = reader.everyEdition();
    const edition = row && openEdition(readIndex(row.root, reader), reader);
    rmSync(dataDir, { recursive: true });
    expect(said(edition)).toBe('Слова');
    expect(edition?.find('/')?.answer(new Set(['gzip']), false)?.headers).toContain('gzip');
    reader.close();
  });

  test('is searched by pieces of its own, and a damaged one is told and made again', async () => {
    const { editions } = own();
    for (const words of ['Бармаглот', 'Кракозябра']) await publish(saying(words), options(editions));
    prune(editions, variantOf(workshop), builtAt);
    const [row] = editions.everyEdition();
    const index = row && readIndex(row.root, editions);
    const found = (edition = openEdition(index, editions)) => {
      const { found, document } = search(edition?.content() as Content, 'кракозябра');
      return found.map((number) => document(number).path);
    };
    expect(found()).toEqual(['/about']);

    const { postings } = JSON.parse(String(editions.bytes(index?.search ?? '')));
    editions.drop(postings);
    const edition = openEdition(index, editions);
    expect(() => found(edition)).toThrow('damaged');
    expect(edition?.damaged()).toBe(true);
    await renew({ ...options(editions), repair: true });
    edition?.refresh();
    expect([found(edition), edition?.damaged()]).toEqual([['/about'], false]);
  });

  test('is not shown where it is damaged, and is made again', async () => {
    const { dataDir, editions } = own();
    const { edition: index } = await publish(saying('Слова'), options(editions));
    const [row] = editions.everyEdition();
    const edition = row && openEdition(readIndex(row.root, editions), editions);
    const hash = entriesOf(index, editions).find(({ path }) => path === '/about')?.hash ?? '';
    const database = new DatabaseSync(paths.ownEditions(dataDir), { timeout: 5_000 });
    database.prepare("UPDATE blob SET bytes = CAST('x' || bytes AS BLOB) WHERE hash = ?").run(hash);
    database.close();
    expect([said(edition), edition?.damaged()]).toEqual([undefined, true]);
    expect(editions.damaged()).toEqual([hash]);

    await renew({ ...options(editions), repair: true });
    edition?.refresh();
    expect(said(edition)).toBe('Слова');
    expect([edition?.damaged(), editions.damaged()]).toEqual([false, []]);
  });

  describe('is what a server begins with', () => {
    let begun: string[];
    const begin = (editions: Editions, files: ContentFiles, contentDir: string, told = false) => {
      begun = [];
      const errand = async (command: string) => {
        begun.push(command);
        if (command === 'publish') await publish(files, options(editions));
        else await renew(options(editions));
      };
      return firstEdition({ editions, workshop, contentDir, publish: told, errand, logger: pino({ level: 'silent' }) });
    };

    test('the content that shipped, without making anything', async () => {
      const { editions } = own();
      const { edition } = await begin(editions, new Map(), paths.content);
      expect([begun, edition.snapshot]).toEqual([[], editions.shipped?.publications()[0]?.snapshot]);
      expect(editions.publications()).toHaveLength(1);
    });

    test('that of the folder, once; and what has changed in it since only if that is asked for', async () => {
      const { editions } = own();
      const [before, after] = ['Один', 'Два'].map((heading) => contentFolder(headed(heading)));
      const read = (folder = '') => [readFolder(folder), folder] as const;
      const { edition: first } = await begin(editions, ...read(before));
      expect([begun, said(first)]).toEqual([['publish'], 'Один']);
      const { edition: again } = await begin(editions, ...read(after));
      expect([begun, again.id]).toEqual([[], first.id]);
      const { edition: second } = await begin(editions, ...read(after), true);
      expect([begun, said(second)]).toEqual([['publish'], 'Два']);
    });

    test('what a release brings, also one that is taken back, until somebody publishes', async () => {
      const file = paths.ownEditions(temporaryFolder());
      const release = async (words: string) => {
        const folder = contentFolder(headed(words));
        const shipped = empty();
        await publish(readFolder(folder), options(shipped));
        return async () => {
          const { store } = openOrReplace(file, { for: 'make' }, shipped);
          const shown = said((await begin({ ...store, shipped }, new Map(), folder)).edition);
          store.close();
          return shown;
        };
      };
      const [older, newer] = [await release('Один'), await release('Два')];
      const seen: unknown[] = [];
      for (const start of [older, newer, newer, older, older, newer]) seen.push(await start());
      expect(seen).toEqual(['Один', 'Два', 'Два', 'Один', 'Один', 'Два']);

      const store = openEditionStore(file, { for: 'make' });
      await publish(saying('Три'), options(store));
      expect([await older(), await newer()]).toEqual(['Три', 'Три']);
      await publishBack(options(store));
      expect([await older(), await newer()]).toEqual(['Два', 'Два']);
      store.close();
    });

    test('made again, if what it hangs on is damaged', async () => {
      const { editions } = own();
      const { edition } = await publish(saying('Один'), options(editions));
      const [row] = editions.everyEdition();
      editions.drop([row?.root ?? '']);
      expect(readIndex(row?.root ?? '', editions)).toBeUndefined();
      const { edition: served } = await begin(editions, new Map(), '/nowhere');
      expect([begun, served.id]).toEqual([['renew'], edition.id]);
    });

    test('the last good one, if the folder is wrong', async () => {
      const { editions } = own();
      const { edition } = await publish(saying('Один'), options(editions));
      const folder = contentFolder(wrong);
      const { edition: served } = await begin(editions, readFolder(folder), folder, true);
      expect([begun, served.id]).toEqual([['publish'], edition.id]);
    });
  });
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

shippedTest(
  'the first view of every page fits into the first round trip: 14,600 bytes; the median into 10 KB',
  async () => {
    const site = await startTestSite();
    const { content } = site.services.site;
    const pages = [
      ...site.served.paths,
      ...['/cases?page=2', '/reviews?page=2', '/blog?page=2', '/about/novosti?page=2'],
      ...content.presets.map(({ slug }) => `/contact?preset=${slug}`),
    ];
    const weights: { path: string; bytes: number; withScript: number }[] = [];
    const script = await weigh(site.port, entryScript(readCode(paths.code).scripts));
    for (const path of pages) {
      const { whole, body } = await weigh(site.port, path);
      weights.push({ path, bytes: whole, withScript: body + script.body });
    }
    weights.sort((a, b) => b.bytes - a.bytes);
    const median = weights[Math.floor(weights.length / 2)]?.bytes ?? 0;
    const largest = weights.slice(0, 5).map(({ path, bytes, withScript }) => `  ${bytes} ${path} (${withScript})`);
    process.stdout.write(
      `First views of ${weights.length} pages: median ${median} bytes, the largest (in brackets: bodies of page and script):\n${largest.join('\n')}\n`,
    );
    expect(weights.filter(({ bytes }) => bytes > 14_600)).toEqual([]);
    expect(median).toBeLessThanOrEqual(10 * 1024);
  },
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

test('all fonts of an edition come to at most 14 KB, and none keeps text from being read', async () => {
  const site = await startTestSite();
  const fonts = new Set<string>();
  for (const path of site.served.paths) {
    const { text } = await site.request(path);
    for (const [face = ''] of text.matchAll(/@font-face\s*\{[^}]*\}/g)) {
      // A face of the system is there at once.
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
