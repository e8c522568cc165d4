import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { korob, withStore } from '../commands/testing.ts';
import { paths } from '../lib/paths.ts';
import { browserHeaders } from '../testing/ask.ts';
import { lastBuilt, siteUrl, testWorkshop } from '../testing/built.ts';
import { eventually } from '../testing/eventually.ts';
import { freePort } from '../testing/free-port.ts';
import { one, parseHtml, textOf } from '../testing/html.ts';
import { articlePage, onDemand } from '../testing/pages.ts';
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { filledForm } from '../testing/test-site.ts';

/** A content folder, the store it is published to, and servers with that store. */
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

/** Waits until every server of the place says it. */
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

const departing =
  lastBuilt()
    ?.content()
    .departures.map(({ service }) => service) ?? [];

/** Pages that say when trucks leave, which a new day changes by itself: one may begin while this runs. */
const ofTrucks = new RegExp(`^changed (${['/', ...departing].join('|')})\n`, 'gm');

describe('publishing', () => {
  let place: Place;
  beforeAll(async () => {
    place = await newPlace(2);
  });

  test('makes a change live on every server of the store, without a restart, and says what has changed', async () => {
    edit(place, 'pages/cases.md', /^lead: .*$/m, 'lead: Первая правка');
    const { code, stdout, stderr } = await command(place, 'publish');
    expect([code, stdout.replace(ofTrucks, '')]).toEqual([0, 'changed /cases\n']);
    expect(stderr).toMatch(/^Edition [\da-f]{16} is published, \d+ pages of which [1-4] differ/);
    await saidEverywhere(place, '/cases', 'Первая правка');
    // What is rendered on demand is of the same edition.
    await saidEverywhere(place, onDemand, '</footer>');
    for (const server of place.servers) {
      const { id } = JSON.parse(await textAt(server, '/builds/latest.json')) as { id: string };
      expect(stderr).toContain(id);
    }
  });

  test('returns to what was there before, and back again', async () => {
    const { stdout } = await command(place, 'publish', '--back');
    expect(stdout.replace(ofTrucks, '')).toBe('changed /cases\n');
    await eventually(
      async () => !(await textAt(place.servers[0] as ServerProcess, '/cases')).includes('Первая правка'),
    );
    expect((await command(place, 'publish', '--back')).code).toBe(0);
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
    // Longer than any holidays, so that nobody calls when somebody would have called.
    const days = Array.from({ length: 20 }, (_, ahead) => new Date(Date.now() + ahead * 86_400_000));
    const closed = days.map((day) => `    - ${day.toISOString().slice(0, 10)}\n`).join('');
    edit(place, 'company.yaml', /^( +)holidays:\n(?: +- .*\n)*/m, `$1holidays:\n${closed}`);
    edit(place, 'legal/consent.md', /^version: .*$/m, 'version: "после правки"');
    edit(place, 'legal/consent.md', /$/, '\nЕщё одна строка согласия.\n');
    expect(await command(place, 'publish')).toMatchObject({ code: 0, stderr: expect.stringContaining('is published') });
    await saidEverywhere(place, '/', '| Сундук</title>');
    // The first look at the consent is taken when the edition changes, not within the hour.
    const receipt = await send('После правки');
    // When somebody calls follows from the hours, which are others now.
    expect(await promiseAt(receipt)).not.toBe(before);
    await withStore(place.dataDir, async (leads) => {
      const [after, earlier] = await leads.list({ limit: 2 });
      expect([after?.message, earlier?.message]).toEqual(['После правки', 'До правки']);
      expect(after?.consent.version).toBe('после правки');
      expect(after?.consent.hash).not.toBe(earlier?.consent.hash);
      const database = new DatabaseSync(join(place.dataDir, 'korob.sqlite'), { readOnly: true });
      const kept = database.prepare('SELECT hash, text FROM consent_text').all();
      database.close();
      const texts = new Map(kept.map(({ hash, text }) => [hash, String(text)]));
      expect(texts.get(after?.consent.hash ?? '')).toContain('Ещё одна строка согласия');
      expect(texts.get(earlier?.consent.hash ?? '')).not.toContain('Ещё одна строка согласия');
    });
    for (const { exited: _, ...one } of place.servers) {
      expect(linesOf(one as ServerProcess).filter(({ level }) => level >= 50)).toEqual([]);
    }
  });

  test('refuses what is wrong, by file and line, and what was published goes on, also after a restart', async () => {
    const line = edit(place, 'company.yaml', /^email: .*$/m, 'email: никакой');
    const { code, stderr } = await command(place, 'publish');
    expect([code, stderr]).toEqual([1, expect.stringContaining(`company.yaml:${line}: email: «никакой» не подходит`)]);
    for (const server of place.servers) {
      await eventually(() =>
        linesOf(server).some(({ level, msg }) => level >= 50 && msg.includes(`company.yaml:${line}`)),
      );
      expect((await fetch(server.url)).status).toBe(200);
    }
    const metricsPort = await freePort();
    const again = await startIn(place, { METRICS_PORT: String(metricsPort) });
    const problems = async () =>
      /^korob_content_problems (\d+)/m.exec(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text())?.[1];
    place.servers.push(again);
    expect(/<title>.*<\/title>/.exec(await textAt(again, '/'))?.[0]).toContain('| Сундук</title>');
    await eventually(() => again.output().includes(`company.yaml:${line}`));
    expect(await problems()).toBe('1');
    const { stdout } = await command(place, 'doctor', '--no-send');
    expect(stdout).toMatch(/^fail +edition +since .* no new content is served/m);

    edit(place, 'company.yaml', /^email: .*$/m, 'email: info@example.ru');
    expect((await command(place, 'publish')).code).toBe(0);
    await eventually(() => again.output().includes('the content is in order again'));
    expect(await problems()).toBe('0');
    expect((await command(place, 'doctor', '--no-send')).stdout).not.toMatch(/^fail +edition/m);
  });

  test('is deliberate: neither a restart nor the time of day shows what somebody is editing', async () => {
    edit(place, 'pages/cases.md', /^lead: .*$/m, 'lead: ЧЕРНОВИК');
    const again = await startIn(place);
    place.servers.push(again);
    expect(await textAt(again, '/cases')).not.toContain('ЧЕРНОВИК');
    // Later than the end of any period: within holidays, the same pages hold for days.
    const later = new Date(Date.now() + 20 * 86_400_000);
    const { openEditions } = await import('./stores.ts');
    const { renew } = await import('./publish.ts');
    const { openEdition } = await import('./open.ts');
    const { readIndex } = await import('./edition-index.ts');
    const store = openEditions(place.dataDir, 'make');
    const row = await renew({ store, workshop: testWorkshop(), at: later });
    expect(row.starts > new Date().toISOString()).toBe(true);
    expect(
      String(openEdition(readIndex(row.root, store), store)?.find('/cases')?.answer(new Set(), false)?.body),
    ).not.toContain('ЧЕРНОВИК');
    store.close();
    expect((await command(place, 'doctor', '--no-send')).stdout).toMatch(/warn +edition .* has changed since/);
  });
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
  const published = (await import('./stores.ts')).openEditions(place.dataDir, 'serve');
  // What shipped, and two changes, each published once, though two servers watch.
  expect(published.publications()).toHaveLength(3);
  published.close();
}, 60_000);

describe('damage to the store of a running server', () => {
  test('is never sent: pages are rendered from the content, and everything is made again', async () => {
    const place = await newPlace(1);
    const [server] = place.servers as [ServerProcess];
    edit(place, 'company.yaml', /^name: .*$/m, 'name: Ящик');
    expect((await command(place, 'publish')).code).toBe(0);
    await saidEverywhere(place, '/', '| Ящик</title>');
    const whole = await textAt(server, '/rates');
    const database = new DatabaseSync(join(place.dataDir, 'editions.sqlite'), { timeout: 5_000 });
    database.exec(`UPDATE blob SET bytes = zeroblob(length(bytes)) WHERE encoding IN ('gzip', 'br')`);
    database.close();
    // Some in memory, some rendered anew; never a page without a body.
    for (const path of ['/rates', '/contacts', '/cases', articlePage.to])
      expect(await textAt(server, path)).toContain('</footer>');
    expect(await textAt(server, '/rates')).toBe(whole);
    // What nobody asks for is not missed.
    const asked = () => Promise.all(['/rates', '/cases', '/contacts'].map((path) => textAt(server, path)));
    const examined = async () => (await command(place, 'doctor', '--no-send')).stdout;
    await eventually(
      async () => (await asked()) && !/fail +edition/.test(await examined()),
      true,
      'the damage is mended',
      60_000,
    );
    const payload = async () => (await fetch(`${server.url}/rates/_payload.json`)).status;
    await eventually(async () => (await payload()) === 200, true, 'the payload is whole again');
  }, 120_000);

  test('of the whole file is put aside at the next start, and what shipped is served', async () => {
    const place = await newPlace(1);
    const [server] = place.servers as [ServerProcess];
    // So that nothing which it has had begun writes into the file.
    server.child.kill('SIGTERM');
    await server.exited;
    const file = paths.ownEditions(place.dataDir);
    for (const ending of ['-wal', '-shm']) rmSync(file + ending, { force: true });
    writeFileSync(file, 'не база данных '.repeat(1000));
    const again = await startIn(place);
    place.servers.push(again);
    expect((await fetch(again.url)).status).toBe(200);
    expect(again.output()).toContain('editions.sqlite.damaged-');
    expect((await command(place, 'doctor', '--no-send')).stdout).toMatch(/ok +edition/);
  });
});
