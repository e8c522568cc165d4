import { execFile } from 'node:child_process';
import { inspect, promisify } from 'node:util';
import { afterEach, beforeAll, describe, expect } from '@jest/globals';
import { StoreError } from '../../lib/store-error.ts';
import { freePort } from '../../testing/free-port.ts';
import { newLead, plan } from '../../testing/leads.ts';
import { initdbPath, type PostgresServer, postgresPassword, startPostgres } from '../../testing/postgres.ts';
import { has, testWith } from '../../testing/requires.ts';
import { startTcpProxy, type TcpProxy } from '../../testing/tcp-proxy.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { storeIn } from './open-store.ts';
import { openPostgres, type Postgres } from './postgres.ts';
import { schemaFor } from './schema.ts';

const test = testWith(initdbPath, 'PostgreSQL may fail without a lead being lost');

let server: PostgresServer;
let proxy: TcpProxy;
const opened: Postgres[] = [];

beforeAll(async () => {
  if (!has(initdbPath)) return;
  server = await startPostgres();
  proxy = await startTcpProxy(server.port);
}, 60_000);

afterEach(async () => {
  await Promise.all(opened.splice(0).map((postgres) => postgres.close()));
});

async function open(...args: Parameters<typeof openPostgres>): Promise<Postgres> {
  const postgres = await openPostgres(...args);
  opened.push(postgres);
  return postgres;
}

/** What was thrown. */
async function failureOf(work: Promise<unknown>): Promise<StoreError> {
  const error = await work.then(
    () => new Error('It did not fail.'),
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(StoreError);
  expect(inspect(error, { depth: 9 })).not.toContain(postgresPassword);
  return error;
}

const versionOf = ({ query }: Postgres) => query('SELECT version FROM korob_version');

describe('opening', () => {
  test('can be done by many processes at once', async () => {
    const url = await server.newDatabase();
    const all = await Promise.all(Array.from({ length: 6 }, () => open(url)));
    for (const postgres of all) expect(await versionOf(postgres)).toEqual([{ version: schemaFor('postgres').length }]);
  });

  test('takes each step once, and none by half', async () => {
    const url = await server.newDatabase();
    const one = 'CREATE TABLE a (x integer); INSERT INTO a VALUES (7)';
    await open(url, [one]);
    const bad = 'DELETE FROM a; ALTER TABLE missing ADD COLUMN y text';
    const error = await failureOf(open(url, [one, bad]));
    expect(error.message).toContain('relation "missing" does not exist');
    const { query } = await open(url, [one, 'ALTER TABLE a ADD COLUMN y text']);
    expect(await query('SELECT * FROM a')).toEqual([{ x: 7, y: null }]);
    // What was added, an older program goes on with.
    expect(await (await open(url, [one])).query('SELECT x FROM a')).toEqual([{ x: 7 }]);
  });

  test('refuses a database that lacks characters', async () => {
    const error = await failureOf(open(await server.newDatabase('SQL_ASCII')));
    expect(error.message).toMatch(/its encoding is SQL_ASCII; create a database with ENCODING 'UTF8'/);
  });

  test.each([
    ['a wrong password', (url: string) => url.replace(postgresPassword, 'nothing'), /password authentication failed/],
    [
      'a wrong name',
      (url: string) => url.replace(/\w+$/, 'nowhere'),
      /nowhere cannot be used: database "nowhere" does not exist/,
    ],
    [
      'a wrong host',
      (url: string) => url.replace('127.0.0.1', 'host.invalid'),
      /its name (is unknown|could not be looked up)/,
    ],
  ])('with %s says what to do, and never the password', async (_, spoil, message) => {
    const error = await failureOf(open(spoil(await server.newDatabase())));
    expect(error.message).toMatch(message);
  });

  test('where nobody listens says so', async () => {
    const url = (await server.newDatabase()).replace(/:\d+\//, `:${await freePort()}/`);
    const error = await failureOf(open(url));
    expect(error.message).toMatch(
      /^The database 127\.0\.0\.1:\d+\/korob_\d+ cannot be used: the connection was refused; check/,
    );
  });
});

test('a commit waits for the disk, whatever the server is set to', async () => {
  const { query } = await open(await server.newDatabase());
  expect(await query('SHOW synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
});

test('what a visitor wrote stands in no error', async () => {
  const store = storeIn(await open(await server.newDatabase()));
  const bad = newLead({ message: 'MessageCanary', preset: null as unknown as string });
  const error = await failureOf(store.leads.add(bad, plan));
  expect(error.message).toContain('it refuses a value (23502)');
  expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/Canary|9161234567/);
});

test('a server that hangs is an honest failure within seconds, and works on when it wakes', async () => {
  const url = (await server.newDatabase()).replace(/:\d+\//, `:${proxy.port}/`);
  const store = storeIn(await open(url));
  await store.leads.add(newLead(), plan);
  proxy.freeze();
  const begun = performance.now();
  const attempts = [store.leads.add(newLead({ key: 'during' }), plan), store.leads.find(1), open(url)];
  for (const error of await Promise.all(attempts.map(failureOf)))
    expect(error.message).toMatch(/it does not answer; see whether PostgreSQL and the network work/);
  expect(performance.now() - begun).toBeLessThan(10_000);
  proxy.thaw();
  expect((await store.leads.add(newLead({ key: 'after' }), plan)).preset).toBe('consultation');
  await store.leads.probe();
});

test('a server that crashes is an honest failure; when it is back, so is the store, with all that was acknowledged', async () => {
  const store = storeIn(await open(await server.newDatabase()));
  const receipts = await Promise.all(
    Array.from({ length: 50 }, (_, n) => store.leads.add(newLead({ key: `before-${n}` }), plan)),
  );
  // Connections that nobody uses break, too; without care that would end the process.
  await Promise.all([store.leads.find(1), store.leads.find(2), store.leads.find(3)]);
  await server.crash();
  const error = await failureOf(store.leads.add(newLead({ key: 'during' }), plan));
  expect(error.message).toMatch(/the connection was refused|closed the connection|terminated/);
  await failureOf(store.leads.probe());
  await server.start();
  for (const receipt of receipts) expect(await store.leads.receipt(receipt.receipt)).toEqual(receipt);
  expect((await store.leads.add(newLead({ key: 'after' }), plan)).number).toBeGreaterThan(50);
});

test('a crash in the middle of a transaction fails it alone', async () => {
  const postgres = await open(await server.newDatabase());
  await failureOf(
    postgres.transact(async (query) => {
      await query('INSERT INTO consent_text VALUES ($1, $1)', ['half']);
      await server.crash();
      await server.start();
    }),
  );
  expect(await postgres.query('SELECT * FROM consent_text')).toEqual([]);
});

test('closing waits for what was begun, and refuses what comes later', async () => {
  const postgres = await openPostgres(await server.newDatabase());
  const slow = postgres.query('SELECT pg_sleep(0.3)');
  await postgres.close();
  expect(await slow).toHaveLength(1);
  const error = await failureOf(postgres.query('SELECT 1'));
  expect(error.message).toMatch(/it is closed/);
});

test('without DATABASE_URL and REDIS_URL, nothing of their clients is loaded', async () => {
  const source = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { openStore } = await import(${source('./open-store.ts')});
    await import(${source('../../http/limits.ts')});
    await import(${source('../../http/shared-limits.ts')});
    const store = await openStore({ dataDir: ${JSON.stringify(temporaryFolder())}, databaseUrl: undefined });
    await store.close();
    console.log(JSON.stringify(loaded));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  const loaded: string[] = JSON.parse(stdout);
  expect(loaded.filter((url) => url.endsWith('/leads.ts'))).toHaveLength(1);
  expect(loaded.filter((url) => /node_modules\/(pg|redis|@redis|rate-limit-redis)\/|postgres/.test(url))).toEqual([]);
});
