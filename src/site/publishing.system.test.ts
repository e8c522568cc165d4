import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { paths } from '../lib/paths.ts';
import { browserHeaders } from '../testing/ask.ts';
import { siteUrl } from '../testing/built.ts';
import { korob, withStore } from '../testing/commands.ts';
import { contentFolder } from '../testing/content.ts';
import { eventually } from '../testing/eventually.ts';
import { freePort } from '../testing/free-port.ts';
import { one, parseHtml, textOf } from '../testing/html.ts';
import { onDemand } from '../testing/pages.ts';
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { filledForm, shownSite } from '../testing/test-site.ts';
import { readPublished } from './revisions.ts';

type Place = { content: string; dataDir: string; servers: ServerProcess[] };

async function newPlace(servers: number, env: NodeJS.ProcessEnv = {}): Promise<Place> {
  const place: Place = { content: temporaryFolder(), dataDir: temporaryFolder(), servers: [] };
  cpSync(paths.content, place.content, { recursive: true });
  for (let count = 0; count < servers; count++) place.servers.push(await startIn(place, env));
  return place;
}

function startIn({ content, dataDir }: Place, env: NodeJS.ProcessEnv = {}): Promise<ServerProcess> {
  return startServerProcess({ DATA_DIR: dataDir, CONTENT_DIR: content, ...env });
}

/** @returns the line of the change, from 1 */
function edit({ content }: Place, file: string, from: RegExp, to: string): number {
  const path = join(content, file);
  const text = readFileSync(path, 'utf8');
  expect(text).toMatch(from);
  const changed = text.replace(from, to);
  writeFileSync(path, changed);
  return changed.split('\n').findIndex((line) => line.includes(to.split('\n')[0] ?? '')) + 1;
}

function command({ content, dataDir }: Place, ...args: string[]) {
  return korob(dataDir, args, { CONTENT_DIR: content, SITE_URL: siteUrl });
}

async function textAt({ url }: ServerProcess, path: string): Promise<string> {
  return (await fetch(url + path, { headers: browserHeaders })).text();
}

async function spawned(program: string, args: string[], { content, dataDir }: Place): Promise<number | null> {
  const env = { DATA_DIR: dataDir, CONTENT_DIR: content, SITE_URL: siteUrl };
  const [code] = await once(spawn(program, args, { env, stdio: 'ignore' }), 'exit');
  return code as number | null;
}

const headed = (heading: string) => (text: string) => text.replace(/^heading: .*$/m, `heading: ${heading}`);

async function saidEverywhere({ servers }: Place, path: string, words: string | RegExp): Promise<void> {
  const said = (text: string) => (typeof words === 'string' ? text.includes(words) : words.test(text));
  await eventually(
    async () => {
      const texts = await Promise.all(servers.map((server) => textAt(server, path)));
      return texts.every(said);
    },
    true,
    `${words} at ${path}`,
  );
}

const linesOf = (server: ServerProcess): { level: number; msg: string }[] =>
  server
    .output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const departing = (await shownSite()).content.departures.map(({ service }) => service);

/** Midnight may change pages with departures during the test. */
const ofTrucks = new RegExp(`^changed (${['/', ...departing].join('|')})\n`, 'gm');

describe('publishing', () => {
  let place: Place;
  beforeAll(async () => {
    place = await newPlace(2);
  });

  test('makes a change live on every server of the folder, without a restart, and says what has changed', async () => {
    edit(place, 'pages/cases.md', /^lead: .*$/m, 'lead: Первая правка');
    const { code, stdout, stderr } = await command(place, 'publish');
    expect([code, stdout.replace(ofTrucks, '')]).toEqual([0, 'changed /cases\n']);
    expect(stderr).toMatch(/^Published \d+ pages, [1-4] of which differ/m);
    await saidEverywhere(place, '/cases', 'Первая правка');
    // Rendered on demand, but by the same site.
    await saidEverywhere(place, onDemand, '</footer>');
    const builds = await Promise.all(place.servers.map((server) => textAt(server, '/builds/latest.json')));
    expect(new Set(builds).size).toBe(1);
  });

  test('returns to what was there before, which is what the server began with at first', async () => {
    const { stdout } = await command(place, 'publish', '--back');
    expect(stdout.replace(ofTrucks, '')).toBe('changed /cases\n');
    await eventually(
      async () => !(await textAt(place.servers[0] as ServerProcess, '/cases')).includes('Первая правка'),
    );
    expect(await command(place, 'publish', '--back')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing to return to'),
    });
    expect((await command(place, 'publish')).code).toBe(0);
    await saidEverywhere(place, '/cases', 'Первая правка');
  });

  test('replaces everything at once: company, hours, consent; the evidence of older leads stays', async () => {
    const [server] = place.servers as [ServerProcess];
    const send = async (message: string) => {
      const body = new URLSearchParams({ ...filledForm, message });
      const headers = { ...browserHeaders, 'sec-fetch-site': 'same-origin' };
      const answer = await fetch(`${server.url}/contact`, { method: 'POST', redirect: 'manual', headers, body });
      expect(answer.status).toBe(303);
      return answer.headers.get('location') ?? '';
    };
    const promiseAt = async (path: string) =>
      textOf(one(parseHtml(await textAt(server, path)), 'main')).replace(/№\s\d+/, '');
    const before = await promiseAt(await send('До правки'));
    edit(place, 'company.yaml', /^name: .*$/m, 'name: Сундук');
    // Longer than any holidays, so the promised call moves.
    const days = Array.from({ length: 20 }, (_, ahead) => new Date(Date.now() + ahead * 86_400_000));
    const closed = days.map((day) => `    - ${day.toISOString().slice(0, 10)}\n`).join('');
    edit(place, 'company.yaml', /^( +)holidays:\n(?: +- .*\n)*/m, `$1holidays:\n${closed}`);
    edit(place, 'legal/consent.md', /$/, '\nЕщё одна строка согласия.\n');
    expect(await command(place, 'publish')).toMatchObject({ code: 0, stderr: expect.stringContaining('Published') });
    await saidEverywhere(place, '/', '| Сундук</title>');
    // The consent is re-read when the site changes, not within the hour.
    const receipt = await send('После правки');
    // Follows the new working hours.
    expect(await promiseAt(receipt)).not.toBe(before);
    await withStore(place.dataDir, async ({ leads }) => {
      const [after, earlier] = await leads.list({ limit: 2 });
      expect([after?.message, earlier?.message]).toEqual(['После правки', 'До правки']);
      expect(after?.consent).not.toBe(earlier?.consent);
      const database = new DatabaseSync(join(place.dataDir, 'korob.sqlite'), { readOnly: true });
      const kept = database.prepare('SELECT hash, text FROM consent_text').all();
      database.close();
      const texts = new Map(kept.map(({ hash, text }) => [hash, String(text)]));
      expect(texts.get(after?.consent ?? '')).toContain('Ещё одна строка согласия');
      expect(texts.get(earlier?.consent ?? '')).not.toContain('Ещё одна строка согласия');
    });
    for (const { exited: _, ...one } of place.servers) {
      expect(linesOf(one as ServerProcess).filter(({ level }) => level >= 50)).toEqual([]);
    }
  });

  test('refuses what is wrong, by file and line, and what was published goes on, also after a restart', async () => {
    const line = edit(place, 'company.yaml', /^email: .*$/m, 'email: никакой');
    const { code, stderr } = await command(place, 'publish');
    expect([code, stderr]).toEqual([1, expect.stringContaining(`company.yaml:${line}: email: «никакой» не подходит`)]);
    const again = await startIn(place);
    place.servers.push(again);
    for (const server of place.servers)
      expect(/<title>.*<\/title>/.exec(await textAt(server, '/'))?.[0]).toContain('| Сундук</title>');
    expect((await command(place, 'doctor', '--no-send')).stdout).toMatch(/^fail +content/m);
    edit(place, 'company.yaml', /^email: .*$/m, 'email: info@example.ru');
    expect((await command(place, 'publish')).code).toBe(0);
    expect((await command(place, 'doctor', '--no-send')).stdout).not.toMatch(/^fail/m);
  });

  test('is deliberate: a restart does not show what somebody is editing', async () => {
    edit(place, 'pages/cases.md', /^lead: .*$/m, 'lead: ЧЕРНОВИК');
    const again = await startIn(place);
    place.servers.push(again);
    expect(await textAt(again, '/cases')).not.toContain('ЧЕРНОВИК');
    expect((await command(place, 'doctor', '--no-send')).stdout).toMatch(/warn +published .* has changed since/);
  });

  test('by several at once ends with one of them, and there is always something to show', async () => {
    const folders = ['Один', 'Два', 'Три'].map((words) => contentFolder({ 'pages/cases.md': headed(words) }));
    const [server] = place.servers as [ServerProcess];
    let publishing = true;
    const published = Promise.all(
      folders.map((content) => spawned(process.execPath, [paths.commands, 'publish'], { ...place, content })),
    ).finally(() => {
      publishing = false;
    });
    while (publishing) {
      expect(await textAt(server, '/cases')).toContain('</footer>');
      await sleep(20);
    }
    expect(await published).toEqual([0, 0, 0]);
    await saidEverywhere(place, '/cases', />(Один|Два|Три)</);
  }, 60_000);
});

test('a folder that is watched is published by itself when it has been quiet, and only when it is right', async () => {
  const place = await newPlace(2, { CONTENT_WATCH: 'true' });
  edit(place, 'pages/cases.md', /^lead: .*$/m, 'lead: Вышласама');
  await saidEverywhere(place, '/cases', 'Вышласама');
  const [right = ''] = /^email: .*$/m.exec(readFileSync(join(place.content, 'company.yaml'), 'utf8')) ?? [];
  const line = edit(place, 'company.yaml', /^email: .*$/m, 'email: никакой');
  const [server] = place.servers as [ServerProcess];
  await eventually(() => server.output().includes(`company.yaml:${line}`));
  edit(place, 'pages/cases.md', /^lead: .*$/m, 'lead: Вторая');
  await sleep(1_500);
  expect(await textAt(server, '/cases')).toContain('Вышласама');
  edit(place, 'company.yaml', /^email: .*$/m, right);
  await saidEverywhere(place, '/cases', 'Вторая');
  const { revisions } = readPublished(join(place.dataDir, 'published'));
  // The initial content and two changes, each published once although two servers watch.
  expect(revisions).toHaveLength(3);
}, 60_000);

test('a watched folder is refused and taken in again, which metrics say', async () => {
  const port = await freePort();
  const place = await newPlace(1, { CONTENT_WATCH: 'true', METRICS_PORT: String(port) });
  const refused = async () => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return /^korob_content_refused (\d)/m.exec(text)?.[1];
  };
  const [server] = place.servers as [ServerProcess];
  expect(await refused()).toBe('0');
  const [right = ''] = /^email: .*$/m.exec(readFileSync(join(place.content, 'company.yaml'), 'utf8')) ?? [];
  edit(place, 'company.yaml', /^email: .*$/m, 'email: никакой');
  await eventually(refused, '1', 'the metrics tell of it');
  edit(place, 'company.yaml', /^email: .*$/m, right);
  await eventually(refused, '0', 'the metrics tell that it is over');
  expect(server.output()).toContain('the content is in order again');
}, 60_000);

describe('a published content that is damaged', () => {
  test('is not shown: the one before is, then what ships; doctor and metrics say so, and publishing mends it', async () => {
    const port = await freePort();
    const place = await newPlace(0);
    const outdated = async () => {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      return /^korob_content_outdated (\d)/m.exec(text)?.[1];
    };
    for (const name of ['Ящик', 'Сундук']) {
      edit(place, 'company.yaml', /^name: .*$/m, `name: ${name}`);
      expect((await command(place, 'publish')).code).toBe(0);
    }
    const folder = join(place.dataDir, 'published');
    const [newest, before] = readPublished(folder).revisions;
    const damage = (id = '') => {
      const file = join(folder, id, 'rates.yaml');
      const bytes = readFileSync(file);
      bytes[100] = (bytes[100] ?? 0) ^ 1;
      writeFileSync(file, bytes);
    };
    damage(newest?.id);
    const server = await startIn(place, { METRICS_PORT: String(port) });
    place.servers.push(server);
    expect(await textAt(server, '/')).toContain('| Ящик</title>');
    expect(server.output()).toContain(`The published content ${newest?.id} is damaged`);
    await eventually(outdated, '1', 'the metrics tell of it');
    expect((await command(place, 'doctor', '--no-send')).stdout).toMatch(/^fail +published .* is damaged/m);

    damage(before?.id);
    const again = await startIn(place);
    place.servers.push(again);
    expect(await textAt(again, '/')).toContain('| Короб</title>');

    expect((await command(place, 'publish')).code).toBe(0);
    await saidEverywhere(place, '/', '| Сундук</title>');
    await eventually(outdated, '0', 'the metrics tell that it is over');
  }, 60_000);

  test('while a server shows it changes nothing for visitors, nor does half a copy', async () => {
    const place = await newPlace(1);
    const [server] = place.servers as [ServerProcess];
    edit(place, 'company.yaml', /^name: .*$/m, 'name: Ящик');
    expect((await command(place, 'publish')).code).toBe(0);
    await saidEverywhere(place, '/', '| Ящик</title>');
    const folder = join(place.dataDir, 'published');
    for (const { id } of readPublished(folder).revisions) rmSync(join(folder, id, 'company.yaml'));
    writeFileSync(join(folder, '.half'), 'name: Ящ');
    await sleep(1_000);
    for (const path of ['/rates', '/contacts', '/cases'])
      expect(await textAt(server, path)).toContain('| Ящик</title>');
  }, 60_000);
});
