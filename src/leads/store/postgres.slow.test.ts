import { execFile } from 'node:child_process';
import { inspect, promisify } from 'node:util';
import { afterEach, beforeAll, describe, expect } from '@jest/globals';
import { StoreError } from '../../lib/store-error.ts';
import { freePort } from '../../testing/free-port.ts';
import { initdbPath, type PostgresServer, postgresPassword, startPostgres } from '../../testing/postgres.ts';
import { has, testWith } from '../../testing/requires.ts';
import { startTcpProxy, type TcpProxy } from '../../testing/tcp-proxy.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { leadStore } from './lead-store.ts';
import { migrations } from './migrations.ts';
import { openPostgres, type Postgres } from './postgres.ts';
import { openDatabase } from './sqlite.ts';
import { newLead, plan } from './testing.ts';

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

const versionOf = ({ run }: Postgres) => run('SELECT version FROM korob_version');

/** What versions before hand to the function that adds leads. */
const given = (receipt: string, more: object) =>
  JSON.stringify([
    {
      ...{
        receipt,
        key: receipt,
        digest: `\\x${'00'.repeat(32)}`,
        state: 'new',
        received_at: '2026-11-20T09:00:00Z',
      },
      ...{
        preset: 'bonus',
        phone: '+1',
        phone_typed: '1',
        page: '/',
        attribution: {},
        signals: [],
        deliveries: [],
      },
      ...{ consent_version: '1', consent_hash: 'a', ...more },
    },
  ]);

describe('opening', () => {
  test('can be done by many processes at once', async () => {
    const url = await server.newDatabase();
    const all = await Promise.all(Array.from({ length: 6 }, () => open(url)));
    for (const postgres of all) expect(await versionOf(postgres)).toEqual([{ version: migrations.postgres.length }]);
  });

  test('makes the same tables and columns as SQLite has', async () => {
    const { connection, close } = openDatabase(temporaryFolder());
    const sqlite = connection
      .prepare(
        `SELECT t.name AS "table", c.name AS "column", c."notnull" OR c.pk AS required
         FROM pragma_table_list t, pragma_table_info(t.name) c WHERE t.name NOT LIKE 'sqlite_%'`,
      )
      .all()
      .filter(({ table }) => table !== 'moved')
      .map(({ table, column, required }) => `${table}.${column}${required ? '' : '?'}`);
    close();
    const { run } = await open(await server.newDatabase());
    const rows = await run<{ name: string }>(
      `SELECT table_name || '.' || column_name || CASE is_nullable WHEN 'YES' THEN '?' ELSE '' END AS name
       FROM information_schema.columns WHERE table_schema = 'public'`,
    );
    const own = [
      'korob_version.version',
      'korob_version.oldest',
      'numbering.id',
      'numbering.last',
      'delivery.position',
    ];
    const postgres = rows.map(({ name }) => name).filter((name) => !own.includes(name));
    expect(postgres.sort()).toEqual(sqlite.sort());
  });

  test('takes each step once, and none by half', async () => {
    const url = await server.newDatabase();
    const one = 'CREATE TABLE a (x integer); INSERT INTO a VALUES (7)';
    await open(url, { schema: [one] });
    const bad = 'DELETE FROM a; ALTER TABLE missing ADD COLUMN y text';
    const error = await failureOf(open(url, { schema: [one, bad] }));
    expect(error.message).toContain('relation "missing" does not exist');
    const { run } = await open(url, { schema: [one, 'ALTER TABLE a ADD COLUMN y text'] });
    expect(await run('SELECT * FROM a')).toEqual([{ x: 7, y: null }]);
    // What was added, an older program goes on with.
    expect(await (await open(url, { schema: [one] })).run('SELECT x FROM a')).toEqual([{ x: 7 }]);
    const breaking = { breaking: 'ALTER TABLE a RENAME COLUMN x TO z' };
    await open(url, { schema: [one, 'ALTER TABLE a ADD COLUMN IF NOT EXISTS y text', breaking] });
    const newer = await failureOf(open(url, { schema: [one] }));
    expect(newer.message).toMatch(/is at version 3 and this program knows version 1; use the newer program/);
  });

  test('a process of the version before goes on adding leads beside one that knows calculations', async () => {
    const url = await server.newDatabase();
    const old = await open(url, { schema: migrations.postgres.slice(0, 1) });
    await old.run('SELECT number FROM add_leads(:given)', { given: given('before', {}) });
    const now = await open(url);
    await now.run('SELECT number FROM add_leads(:given)', { given: given('with', { calculation: 'Итого: 130 ₽' }) });
    await old.run('SELECT number FROM add_leads(:given)', { given: given('after', {}) });
    expect(await now.run('SELECT receipt, calculation FROM lead ORDER BY number')).toEqual([
      { receipt: 'before', calculation: null },
      { receipt: 'with', calculation: 'Итого: 130 ₽' },
      { receipt: 'after', calculation: null },
    ]);
  });

  test('keeps what a later version adds to leads, with the function that is there', async () => {
    const url = await server.newDatabase();
    const later = await open(url, {
      schema: [...migrations.postgres, 'ALTER TABLE lead ADD COLUMN later_column text'],
    });
    await later.run('SELECT number FROM add_leads(:given)', { given: given('later', { later_column: 'Ромашка' }) });
    expect(await later.run('SELECT number, later_column, escalation FROM lead')).toEqual([
      { number: 1, later_column: 'Ромашка', escalation: 0 },
    ]);
  });

  test('refuses a database that no server has used, if it should have been used', async () => {
    const url = await server.newDatabase();
    const error = await failureOf(open(url, { existing: true }));
    expect(error.message).toMatch(/no server has run with it; set DATABASE_URL to that of the server/);
    await open(url);
    await open(url, { existing: true });
  });

  test('refuses a database that lacks characters', async () => {
    const error = await failureOf(open(await server.newDatabase('SQL_ASCII')));
    expect(error.message).toMatch(/its encoding is SQL_ASCII; create a database with ENCODING 'UTF8'/);
  });

  test.each([
    ['a wrong password', (url: string) => url.replace(postgresPassword, 'nothing'), /does not accept the password/],
    ['a wrong name', (url: string) => url.replace(/\w+$/, 'nowhere'), /nowhere cannot be used: there is no such data/],
    ['a wrong host', (url: string) => url.replace('127.0.0.1', 'host.invalid'), /there is no such host|looked up/],
  ])('with %s says what to do, and never the password', async (_, spoil, message) => {
    const error = await failureOf(open(spoil(await server.newDatabase())));
    expect(error.message).toMatch(message);
  });

  test('where nobody listens says so', async () => {
    const url = (await server.newDatabase()).replace(/:\d+\//, `:${await freePort()}/`);
    const error = await failureOf(open(url));
    expect(error.message).toMatch(
      /^The database 127\.0\.0\.1:\d+\/korob_\d+ cannot be used: nobody listens there; start/,
    );
  });
});

test('a commit waits for the disk, whatever the server is set to', async () => {
  const { run } = await open(await server.newDatabase());
  expect(await run('SHOW synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
});

test('what a visitor wrote stands in no error', async () => {
  const store = leadStore(await open(await server.newDatabase()));
  const bad = newLead({ message: 'MessageCanary', preset: null as unknown as string });
  const error = await failureOf(store.add(bad, plan));
  expect(error.message).toContain('it refuses a value (23502)');
  expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/Canary|9161234567/);
});

test('a server that hangs is an honest failure within seconds, and works on when it wakes', async () => {
  const url = (await server.newDatabase()).replace(/:\d+\//, `:${proxy.port}/`);
  const store = leadStore(await open(url));
  await store.add(newLead(), plan);
  proxy.freeze();
  const begun = performance.now();
  const attempts = [store.add(newLead({ key: 'during' }), plan), store.find(1), open(url)];
  for (const error of await Promise.all(attempts.map(failureOf)))
    expect(error.message).toMatch(/it does not answer; see whether PostgreSQL and the network work/);
  expect(performance.now() - begun).toBeLessThan(10_000);
  proxy.thaw();
  expect((await store.add(newLead({ key: 'after' }), plan)).preset).toBe('consultation');
  await store.probe();
});

test('a server that crashes is an honest failure; when it is back, so is the store, with all that was acknowledged', async () => {
  const store = leadStore(await open(await server.newDatabase()));
  const receipts = await Promise.all(
    Array.from({ length: 50 }, (_, n) => store.add(newLead({ key: `before-${n}` }), plan)),
  );
  // Connections that nobody uses break, too; without care that would end the process.
  await Promise.all([store.find(1), store.find(2), store.find(3)]);
  await server.crash();
  const error = await failureOf(store.add(newLead({ key: 'during' }), plan));
  expect(error.message).toMatch(/nobody listens there; start PostgreSQL|ended the connection|terminated/);
  await failureOf(store.probe());
  await server.start();
  for (const receipt of receipts) expect(await store.receipt(receipt.receipt)).toEqual(receipt);
  // Numbers go on where they were.
  expect((await store.add(newLead({ key: 'after' }), plan)).number).toBe(51);
});

test('a crash in the middle of a transaction fails it alone', async () => {
  const postgres = await open(await server.newDatabase());
  await failureOf(
    postgres.transaction(async (query) => {
      await query('INSERT INTO consent_text VALUES (:text, :text, :text)', { text: 'half' });
      await server.crash();
      await server.start();
    }),
  );
  expect(await postgres.run('SELECT * FROM consent_text')).toEqual([]);
});

test('closing waits for what was begun, and refuses what comes later', async () => {
  const postgres = await openPostgres(await server.newDatabase());
  const slow = postgres.run('SELECT pg_sleep(0.3)');
  await postgres.close();
  expect(await slow).toHaveLength(1);
  const error = await failureOf(postgres.run('SELECT 1'));
  expect(error.message).toMatch(/it is closed/);
});

test('without DATABASE_URL and REDIS_URL, nothing of their clients is loaded', async () => {
  const source = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { openLeadStore } = await import(${source('./open-store.ts')});
    await import(${source('../../http/limits.ts')});
    await import(${source('../../http/shared-limits.ts')});
    const store = await openLeadStore({ dataDir: ${JSON.stringify(temporaryFolder())}, databaseUrl: undefined });
    await store.close();
    console.log(JSON.stringify(loaded));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  const loaded: string[] = JSON.parse(stdout);
  expect(loaded.filter((url) => url.endsWith('/lead-store.ts'))).toHaveLength(1);
  expect(loaded.filter((url) => /node_modules\/(pg|redis|@redis|rate-limit-redis)\/|postgres/.test(url))).toEqual([]);
});
