import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { createCache } from '../lib/cache.ts';
import { type Hash, hashOf } from '../lib/hash.ts';
import { paths } from '../lib/paths.ts';
import { type ContentFiles, readFolder, revisionOf } from '../loading/content-files.ts';
import type { Site } from '../site/site.ts';
import { browserHeaders } from '../tests/support/ask.ts';
import { siteUrl, testInputs } from '../tests/support/built.ts';
import { korob, withStore } from '../tests/support/commands.ts';
import { eventually } from '../tests/support/eventually.ts';
import { film } from '../tests/support/films.ts';
import { freePort } from '../tests/support/free-port.ts';
import { one, parseHtml, textOf } from '../tests/support/html.ts';
import { contentFolder, contentWith, otherContent } from '../tests/support/sample-content.ts';
import { onDemand } from '../tests/support/sample-pages.ts';
import { type ServerProcess, startServerProcess } from '../tests/support/server-process.ts';
import { temporaryFolder } from '../tests/support/temporary-folder.ts';
import { filledForm } from '../tests/support/test-site.ts';
import { clearFailedPublication, readFailedPublication } from './failed-publication.ts';
import type { RunJob } from './jobs.ts';
import { type Current, readSite, type SourceOptions } from './read-site.ts';
import { candidates, publishAgain, publishFiles, readPublished, readRevision } from './revisions.ts';
import { changesIn } from './watch-folder.ts';
import { followContent } from './watch-revisions.ts';

/** Few posts and the company that ships, so that every picture is encoded already. */
const small = contentWith({ 'company.yaml': () => readFileSync(join(paths.content, 'company.yaml')) }, otherContent());
const content = contentFolder({}, small);
const server = await startServerProcess({ CONTENT_DIR: content });
const { dataDir } = server;
// The server publishes the content that it starts with, so that a test can return to it.
await eventually(() => readPublished(paths.published(dataDir)).current !== null);
const servers = [server];

/** @returns the number of the changed line, starting at 1 */
function edit(file: string, from: RegExp, to: string): number {
  const path = join(content, file);
  const text = readFileSync(path, 'utf8').replace(from, to);
  expect(text).toContain(to.replace('$1', '').trim());
  writeFileSync(path, text);
  return text.split('\n').indexOf(to) + 1;
}

const publish = (...args: string[]) =>
  korob(dataDir, ['publish', ...args], { CONTENT_DIR: content, SITE_URL: siteUrl });

async function textAt({ url }: ServerProcess, path: string): Promise<string> {
  return (await fetch(url + path, { headers: browserHeaders })).text();
}

/** @param is whether the page must have the words */
function saidEverywhere(path: string, words: string, is = true): Promise<void> {
  const said = async () => {
    const texts = await Promise.all(servers.map((server) => textAt(server, path)));
    return texts.every((text) => text.includes(words) === is);
  };
  return eventually(said, true, `${words} at ${path}`);
}

// The next three tests are one story. Each edits the content that the previous test left, so a later one needs the
// earlier ones.

test('a publication appears without a restart, and so does the previous one after publish --back', async () => {
  edit('pages/questions.md', /^lead: .*$/m, 'lead: Первая правка');
  const { code, stdout } = await publish();
  expect([code, stdout]).toEqual([0, expect.stringContaining('изменилась /questions\n')]);
  await saidEverywhere('/questions', 'Первая правка');
  // This page is rendered on demand, by the same site.
  await saidEverywhere(onDemand, '</footer>');
  expect(await publish('--back', '2')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('изменилась /questions\n'),
  });
  await saidEverywhere('/questions', 'Первая правка', false);
});

test('a publication replaces company facts, hours and consent together, and older leads keep their values', async () => {
  const send = async (message: string) => {
    const body = new URLSearchParams({ ...filledForm, message });
    const headers = { ...browserHeaders, 'sec-fetch-site': 'same-origin' };
    const answer = await fetch(`${server.url}/contact`, { method: 'POST', redirect: 'manual', headers, body });
    const receipt = parseHtml(await textAt(server, answer.headers.get('location') ?? ''));
    return textOf(one(receipt, 'main')).replace(/№\s\d+/, '');
  };
  const promised = await send('До правки');
  edit('company.yaml', /^email: .*$/m, 'email: sunduk@example.ru');
  // The closure is longer than any holidays, so the promised call moves.
  const days = Array.from({ length: 20 }, (_, ahead) => new Date(Date.now() + ahead * 86_400_000));
  const closed = days.map((day) => `    - ${day.toISOString().slice(0, 10)}\n`).join('');
  edit('company.yaml', /^( +)holidays:\n(?: +- .*\n)*/m, `$1holidays:\n${closed}`);
  edit('legal/consent.md', /$/, '\nЕщё одна строка согласия.\n');
  expect((await publish()).code).toBe(0);
  await saidEverywhere('/contacts', 'sunduk@example.ru');
  // Before a lead has it: a form that is open when the next text appears must still be accepted.
  const form = parseHtml(await textAt(server, '/contact'));
  const version = one(form, '[name=consentVersion]').attrs.value ?? '';
  const text = () => withStore(dataDir, (store) => store.leads.consentText(version));
  await eventually(async () => (await text())?.includes('Ещё одна строка согласия.'));
  expect(await send('После правки')).not.toBe(promised);
  const [after, before] = await withStore(dataDir, (store) => store.leads.list({ limit: 2 }));
  expect([before?.message, after?.message]).toEqual(['До правки', 'После правки']);
  expect(after?.consent).not.toBe(before?.consent);
});

test('invalid content is refused by file and line, and a watched folder is published once it is valid', async () => {
  const line = edit('company.yaml', /^email: .*$/m, 'email: никакой');
  edit('pages/questions.md', /^lead: .*$/m, 'lead: Вторая правка');
  const wrong = `company.yaml:${line}: email: «никакой» не подходит`;
  expect(await publish()).toMatchObject({ code: 1, stderr: expect.stringContaining(wrong) });
  await saidEverywhere('/admin/', `company.yaml, строка\u00A0${line}`);
  expect(await textAt(server, '/admin/')).not.toContain('никакой');

  const port = await freePort();
  const env = { CONTENT_DIR: content, DATA_DIR: dataDir, CONTENT_WATCH: 'true', METRICS_PORT: String(port) };
  const watching = await startServerProcess(env);
  servers.push(watching);
  const metric = async (name: string) => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return new RegExp(`^korob_${name} (\\d)`, 'm').exec(text)?.[1];
  };
  await eventually(() => metric('publication_failed'), '1', 'the failure is in the metrics');
  await eventually(() => watching.output().includes(wrong), true, 'the log tells why');
  await saidEverywhere('/contacts', 'sunduk@example.ru');
  for (const server of servers) expect(await textAt(server, '/questions')).not.toContain('Вторая правка');

  edit('company.yaml', /^email: .*$/m, 'email: info@example.ru');
  await saidEverywhere('/questions', 'Вторая правка');
  await saidEverywhere('/admin/', 'не опубликованы', false);
  await eventually(() => metric('publication_failed'), '0', 'the failure is no longer in the metrics');
  const builds = await Promise.all(servers.map((server) => textAt(server, '/builds/latest.json')));
  expect(builds[0]).toBe(builds[1]);
  expect(server.output()).not.toMatch(/"level":[56]0/);

  const later = contentWith({ 'company.yaml': (text) => `${text}novelty: 1\n` }, small);
  await publishFiles(paths.published(dataDir), later, new Date());
  await eventually(() => metric('content_outdated'), '1', 'content that this version cannot show is in the metrics');
});

const listed = (folder: string) => candidates(readPublished(folder)).map(({ id }) => id);

/** All files except the lock, for which SQLite may have a journal. */
const visibleIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => !name.startsWith('.lock'))
    .sort();

/** Flips one bit of a byte. */
function flip(path: string, place: number): void {
  const bytes = readFileSync(path);
  bytes[place] = (bytes[place] ?? 0) ^ (1 << (place % 8));
  writeFileSync(path, bytes);
}

function damage(folder: string, id: Hash): void {
  appendFileSync(join(folder, id, 'company.yaml'), '\n');
}

describe('revisions', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 23, 12, minute));

  function saying(words: string): ContentFiles {
    const bytes = Buffer.from(words);
    const file = { hash: hashOf(bytes), bytes: () => bytes };
    return new Map([
      ['company.yaml', file],
      ['pages/about.md', file],
      ['pages/photo.jpg', file],
    ]);
  }

  const [one, two, three] = [saying('Один'), saying('Два'), saying('Три')];
  const [first, second, third] = [one, two, three].map(revisionOf) as [Hash, Hash, Hash];
  let folder: string;

  beforeEach(() => {
    folder = temporaryFolder();
  });

  test('stay unchanged after publication, and any of them can be published again', async () => {
    expect(readPublished(folder)).toEqual({ current: null, revisions: [] });
    for (const [minute, files] of [one, two, three].entries()) await publishFiles(folder, files, at(minute));
    expect(listed(folder)).toEqual([third, second, first]);
    expect((await readRevision(folder, second))?.keys().toArray()).toEqual([...two.keys()]);
    await publishAgain(folder, first);
    expect(listed(folder)).toEqual([first]);
    await publishAgain(folder, second);
    expect(listed(folder)).toEqual([second, first]);
    await publishFiles(folder, three, at(3));
    expect(listed(folder)).toEqual([third, second, first]);
  });

  test('are not listed when a photograph changes between the check and the copy', async () => {
    const photo = 'news/photo.jpg';
    const dir = contentFolder({ [photo]: () => 'checked' }, small);
    const files = readFolder(dir);
    await publishFiles(folder, one, at(0));
    writeFileSync(join(dir, photo), 'not checked');
    await expect(publishFiles(folder, files, at(1))).rejects.toThrow(`${photo}:1: Файл изменился, пока его проверяли`);
    expect(readPublished(folder).current).toBe(first);
    expect(visibleIn(folder)).toEqual([first, 'revisions.json'].sort());
  });

  test('are damaged when a bit has changed, or a file is missing or extra, and publishing repairs them', async () => {
    const file = join(folder, first, 'company.yaml');
    const harms = [
      ...one.keys().map((name) => () => flip(join(folder, first, name), 1)),
      () => rmSync(file),
      () => writeFileSync(`${file}.more`, ''),
    ];
    for (const harm of harms) {
      await publishFiles(folder, one, at(0));
      expect(await readRevision(folder, first)).toBeDefined();
      harm();
      expect(await readRevision(folder, first)).toBeUndefined();
    }
  });

  test('are found with any damaged bit or truncation of their list, and publishing repairs the list', async () => {
    for (const [minute, files] of [one, two, three].entries()) {
      await publishFiles(folder, files, at(minute));
      utimesSync(join(folder, revisionOf(files)), at(minute), at(minute));
    }
    const list = join(folder, 'revisions.json');
    const whole = readFileSync(list);
    for (const place of whole.keys()) {
      flip(list, place);
      const listedIds = listed(folder);
      const read = await Promise.all(listedIds.map((id) => readRevision(folder, id)));
      const shown = listedIds.filter((_, index) => read[index]);
      // The revision with the damaged name is the only one that may be missing.
      expect([place, shown[0], shown.length >= 2]).toEqual([place, third, true]);
      writeFileSync(list, whole.subarray(0, place));
      expect([place, listed(folder)]).toEqual([place, [third, second, first]]);
      writeFileSync(list, whole);
    }
    writeFileSync(list, '');
    expect(readPublished(folder).damaged).toBe(true);
    await publishFiles(folder, two, at(3));
    expect([readPublished(folder).damaged, listed(folder)]).toEqual([undefined, [second, third, first]]);
  });

  test('keep the restored revision before newer ones that were wrong', async () => {
    const wrong = Array.from({ length: 9 }, (_, n) => saying(`Ошибка ${n}`));
    for (const [minute, files] of [one, ...wrong].entries()) await publishFiles(folder, files, at(minute));
    await publishAgain(folder, first);
    await publishFiles(folder, two, at(10));
    expect(listed(folder).slice(0, 2)).toEqual([second, first]);
    await publishFiles(folder, three, at(11));
    expect(listed(folder).slice(0, 3)).toEqual([third, second, first]);
    await publishAgain(folder, first);
    expect(await readRevision(folder, first)).toBeDefined();
    await expect(publishAgain(folder, revisionOf(wrong[0] ?? one))).rejects.toThrow('no longer listed');
    expect(listed(folder)[0]).toBe(first);
  });

  test('replace the partial files of a killed publication', async () => {
    const script = `
      const { publishFiles } = await import(${JSON.stringify(join(import.meta.dirname, 'revisions.ts'))});
      const bytes = () => process.kill(process.pid, 'SIGKILL');
      await publishFiles(process.argv[1], new Map([['company.yaml', { hash: '', bytes }]]), new Date());`;
    const killed = spawn(process.execPath, ['--input-type=module', '--eval', script, folder], { stdio: 'inherit' });
    expect(await once(killed, 'exit')).toEqual([null, 'SIGKILL']);
    expect(visibleIn(folder)).toHaveLength(1);
    await publishFiles(folder, one, at(0));
    expect(visibleIn(folder)).toEqual([first, 'revisions.json'].sort());
  });

  test('from several processes at once are listed and whole, up to ten, and older ones are removed', async () => {
    const script = `
      const [{ publishFiles }, { hashOf }] = await Promise.all(
        ${JSON.stringify(['./revisions.ts', '../lib/hash.ts'].map((name) => join(import.meta.dirname, name)))}
          .map((name) => import(name)),
      );
      for (let n = 0; n < 12; n++) {
        const bytes = Buffer.from(process.argv[2] + n);
        const files = new Map([['company.yaml', { hash: hashOf(bytes), bytes: () => bytes }]]);
        await publishFiles(process.argv[1], files, new Date());
      }`;
    const publishers = ['a', 'b', 'c'].map((name) =>
      spawn(process.execPath, ['--input-type=module', '--eval', script, folder, name], { stdio: 'inherit' }),
    );
    expect(await Promise.all(publishers.map((child) => once(child, 'exit')))).toEqual(Array(3).fill([0, null]));
    const { revisions } = readPublished(folder);
    for (const { id } of revisions) expect(await readRevision(folder, id)).toBeDefined();
    expect(visibleIn(folder)).toEqual([...revisions.map(({ id }) => id), 'revisions.json'].sort());
    expect(revisions).toHaveLength(10);
  });
});

test('a watched folder reports a new name, a new size, a new time and a replaced file', async () => {
  const dir = temporaryFolder();
  const file = join(dir, 'a.md');
  const at = new Date('2026-11-20T12:00:00Z');
  const write = (path: string, text: string, time = at) => {
    writeFileSync(path, text);
    utimesSync(path, time, time);
  };
  write(file, 'раз');
  const changed = changesIn(dir, 1);
  expect([await changed(), await changed()]).toEqual([false, false]);
  const changes = [
    () => write(file, 'раз два'),
    () => write(file, 'раз два', new Date('2026-11-20T12:00:01Z')),
    () => {
      // Editors replace files, and some copies keep the time.
      write(join(dir, 'c.md'), 'два раз', new Date('2026-11-20T12:00:01Z'));
      renameSync(join(dir, 'c.md'), file);
    },
    () => rmSync(file),
  ];
  for (const [index, change] of changes.entries()) {
    change();
    expect([index, await changed(), await changed(), await changed()]).toEqual([index, false, true, false]);
  }
});

test('a watched folder reports a change once, after it has been quiet', async () => {
  const dir = join(temporaryFolder(), 'later');
  const changed = changesIn(dir, 1);
  expect([await changed(), await changed()]).toEqual([false, false]);
  mkdirSync(dir);
  expect([await changed(), await changed(), await changed()]).toEqual([false, true, false]);
  for (const text of ['Начало', 'Начало и конец']) {
    writeFileSync(join(dir, 'new.md'), text);
    expect(await changed()).toBe(false);
  }
  expect([await changed(), await changed()]).toEqual([true, false]);
});

describe('a server', () => {
  const led = (lead: string) =>
    contentWith({ 'pages/questions.md': (text) => text.replace(/^lead: .*$/m, `lead: ${lead}`) }, small);
  const [edited, again] = [led('Новое'), led('Новейшее')];
  const invalid = contentWith({ 'company.yaml': (text) => `${text}novelty: 1\n` }, small);
  const folder = contentFolder({}, small);
  const inputs = testInputs();
  const cache = createCache();
  /** No page changes for hours at this time. At other times, a departure could change one while a test advances minutes. */
  const atNight = Date.parse(`${new Date().toISOString().slice(0, 10)}T03:00+03:00`);
  let source: SourceOptions;
  let errors: string[];
  let stopFollowing: (() => Promise<void>) | undefined;
  let shown: Site[];
  let outdated: boolean[];
  /** Thrown by the server that should show a site. */
  let unable: Error | undefined;
  const logger = pino(
    { level: 'error', base: null, timestamp: false },
    { write: (line: string) => void errors.push(JSON.parse(line).msg) },
  );

  beforeEach(() => {
    [shown, outdated, errors, stopFollowing, unable] = [[], [], [], undefined, undefined];
    source = { published: temporaryFolder(), contentDir: folder, inputs, cache, drafts: false };
    jest.useFakeTimers({ now: atNight, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  });

  afterEach(async () => {
    const stopped = stopFollowing?.();
    await pass(1_000);
    jest.useRealTimers();
    await stopped;
  });

  const read = () => readSite(source, new Date());

  function follow(first: Current, run: RunJob = async () => {}, watch = false): void {
    stopFollowing = followContent({
      source,
      // Rendering and compressing all pages ahead would take seconds.
      first: { ...first, site: { ...first.site, paths: [], files: [] } },
      watch,
      folders: paths.pictures(temporaryFolder()),
      run,
      onSite: (site) => {
        if (unable) throw unable;
        shown.push(site);
      },
      onOutdated: (is) => outdated.push(is),
      logger,
    });
  }

  async function pass(milliseconds: number, is = () => false): Promise<void> {
    for (let passed = 0; passed < milliseconds && !is(); passed += 100) {
      await jest.advanceTimersByTimeAsync(100);
      // Files are read in real time.
      await sleep(1);
    }
  }

  /** Half a minute is less than the pause before another attempt. */
  const until = (is: () => boolean) => pass(30_000, is);

  const publish = (files: ContentFiles) => publishFiles(source.published, files, new Date());
  const revisionsShown = () => shown.map(({ revision }) => revision);
  const list = () => join(source.published, 'revisions.json');

  test('makes the next site from the same files when the period of the current one ends', async () => {
    const first = await read();
    follow(first);
    jest.setSystemTime(first.site.until.getTime() - 1_000);
    await pass(500);
    expect(shown).toEqual([]);
    await until(() => shown.length > 0);
    expect(revisionsShown()).toEqual([first.site.revision]);
    expect(shown[0]?.id).not.toBe(first.site.id);
    expect(outdated).not.toContain(true);
  });

  test('shows a new publication, reports an unreadable one as outdated, and does not need the folder of the current one', async () => {
    follow(await read());
    await publish(edited);
    await until(() => shown.length > 0);
    expect(revisionsShown()).toEqual([revisionOf(edited)]);
    // It is invalid for this version, so the previous revision remains.
    await publish(invalid);
    await until(() => outdated.at(-1) === true);
    expect([shown.length, outdated.at(-1)]).toEqual([1, true]);
    await publish(again);
    await until(() => shown.length > 1);
    expect([shown.length, outdated.at(-1)]).toEqual([2, false]);
    rmSync(join(source.published, revisionOf(again)), { recursive: true });
    writeFileSync(join(source.published, '.half'), 'name: Ящ');
    await pass(300);
    expect([shown.length, outdated.at(-1)]).toEqual([2, false]);
  });

  test('retries an unreadable revision every minute, and logs the failure once', async () => {
    follow(await read());
    await publish(edited);
    const file = join(source.published, revisionOf(edited), 'company.yaml');
    const whole = readFileSync(file);
    damage(source.published, revisionOf(edited));
    await pass(130_000);
    expect([shown, outdated.at(-1)]).toEqual([[], true]);
    expect(errors).toEqual([expect.stringContaining(`${revisionOf(edited)} is damaged`)]);
    writeFileSync(file, whole);
    // A clock that is set back does not delay the next attempt.
    jest.setSystemTime(Date.now() - 60 * 60_000);
    await pass(90_000, () => shown.length > 0);
    expect([revisionsShown(), outdated.at(-1)]).toEqual([[revisionOf(edited)], false]);
  });

  test('keeps the current site while the list is unreadable, and shows the publication afterwards', async () => {
    await publish(edited);
    follow(await read());
    rmSync(list());
    mkdirSync(list());
    await pass(61_000);
    expect([shown, outdated.at(-1), errors.length]).toEqual([[], true, 2]);
    rmSync(list(), { recursive: true });
    await publish(again);
    await until(() => shown.length > 0);
    expect([revisionsShown(), outdated.at(-1)]).toEqual([[revisionOf(again)], false]);
  });

  test('starts with the previous revision when one is damaged, and with the content folder when all are', async () => {
    await publish(edited);
    await publish(again);
    const begun = async () => {
      const { site, problems } = await read();
      return [site.revision, problems];
    };
    expect(await begun()).toEqual([revisionOf(again), []]);
    damage(source.published, revisionOf(again));
    expect(await begun()).toEqual([revisionOf(edited), [expect.stringContaining(`${revisionOf(again)} is damaged`)]]);
    rmSync(join(source.published, revisionOf(edited)), { recursive: true });
    expect(await begun()).toEqual([revisionOf(readFolder(folder)), [expect.anything(), expect.anything()]]);
    await publish(edited);
    writeFileSync(list(), '{"current": "3');
    expect(await begun()).toEqual([
      revisionOf(edited),
      [expect.stringContaining(`The list in ${source.published} is damaged`)],
    ]);
  });

  test('publishes the first content of an editor, and serves it from its revision even after the folder has changed', async () => {
    const clip = 'blog/video-news/clip.mp4';
    source = { ...source, contentDir: contentFolder({ [clip]: () => film() }, small) };
    follow(await read(), () => publish(readFolder(source.contentDir)));
    await until(() => shown.length > 0);
    const published = readFileSync(join(source.contentDir, clip));
    writeFileSync(join(source.contentDir, clip), 'not published');
    const video = shown[0]?.video(`/videos/clip.${hashOf(published).slice(0, 10)}.mp4`);
    expect(readFileSync(video?.path ?? '').equals(film())).toBe(true);
    expect([shown.length, outdated.at(-1), errors]).toEqual([1, false, []]);
  });

  test('does not publish the content that ships, nor drafts, nor what replaces a publication', async () => {
    const commands: string[] = [];
    const begin = async (of: Partial<SourceOptions>) => {
      source = { ...source, ...of };
      follow(await read(), async (command) => void commands.push(command));
      await Promise.all([stopFollowing?.(), pass(1_000)]);
    };
    await begin({ contentDir: paths.content });
    await begin({ contentDir: folder, drafts: true });
    await publish(edited);
    await begin({ drafts: false });
    expect(commands).toEqual([]);
  });

  test('encodes missing pictures once the pages of a new site are ready, and again a minute after a failure', async () => {
    const commands: string[] = [];
    const first = await read();
    const picture = { path: '/share/none.png', file: 'none.png', cacheControl: 'no-store' };
    const missing = { ...picture, encode: async () => Buffer.alloc(0) };
    const run: RunJob = async (command) => {
      if (commands.push(command) === 1) throw new Error('killed');
    };
    source = { ...source, contentDir: paths.content };
    follow({ ...first, site: { ...first.site, pictures: () => [missing] } }, run);
    await pass(90_000, () => commands.length > 1);
    expect(commands).toEqual(['pictures', 'pictures']);
  });

  test('retries a failed publication after a minute, and does not repeat a successful one', async () => {
    source = { ...source, contentDir: temporaryFolder() };
    writeFileSync(join(source.contentDir, 'company.yaml'), 'name: Короб\n');
    let ends: 'well' | 'badly' = 'badly';
    let tries = 0;
    const run: RunJob = async (command) => {
      if (command !== 'publish') return;
      tries += 1;
      if (ends === 'badly') throw new Error('"publish" was ended.');
      clearFailedPublication(source.published);
    };
    const refused = () => readFailedPublication(source.published)?.problems;
    follow(await readSite({ ...source, contentDir: folder }, new Date()), run, true);
    await until(() => tries > 0);
    // The command was killed before it could record a reason.
    expect([tries, refused()]).toEqual([1, []]);
    ends = 'well';
    // A clock that is set back does not delay the next attempt.
    jest.setSystemTime(Date.now() - 60 * 60_000);
    await pass(50_000);
    expect(tries).toBe(1);
    await until(() => tries > 1);
    await pass(120_000);
    expect([tries, refused()]).toEqual([2, undefined]);
  });
});
