import { chmodSync, copyFileSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { freePort } from '../../tests/support/free-port.ts';
import { arrival, newLead, startAdding } from '../../tests/support/sample-leads.ts';
import { postgresPassword, sharedPostgres } from '../../tests/support/start-postgres.ts';
import { startTcpProxy } from '../../tests/support/tcp-proxy.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';
import { testIf } from '../../tests/support/test-if.ts';
import { schemaFor } from './migrations.ts';
import { type Store, storeIn } from './open-store.ts';
import { openPostgres, type Postgres } from './postgres.ts';
import { StoreError } from './sql.ts';
import { type Database, databasePath, openDatabase } from './sqlite.ts';

const testPostgres = testIf({ programs: ['postgres'] });
const newUrl = async (encoding?: string) => (await sharedPostgres()).newDatabase(encoding);

describe('schema migrations', () => {
  const [one, two] = ['CREATE TABLE a (x integer); INSERT INTO a VALUES (7)', 'ALTER TABLE a ADD COLUMN y text'];

  async function expectSteps(open: (steps: readonly string[]) => Database | Promise<Postgres>): Promise<void> {
    const ask = async (steps: readonly string[], text: string) => {
      const database = await open(steps);
      return database.query(text).finally(database.close);
    };
    expect(await ask([one], 'SELECT * FROM a')).toEqual([{ x: 7 }]);
    const wrong = [one, 'DELETE FROM a; ALTER TABLE missing ADD COLUMN y text'];
    await expect(ask(wrong, 'SELECT 1')).rejects.toThrow(StoreError);
    expect(await ask([one, two], 'SELECT * FROM a')).toEqual([{ x: 7, y: null }]);
    // A program without the second step still works after it, and so does the newer program afterwards.
    await ask([one], 'INSERT INTO a (x) VALUES (8)');
    expect(await ask([one, two], 'SELECT * FROM a')).toHaveLength(2);
  }

  test('run once each, and never partially, in SQLite', () => {
    const folder = temporaryFolder();
    return expectSteps((steps) => openDatabase(folder, steps));
  });

  testPostgres('run once each, and never partially, in PostgreSQL', async () => {
    const url = await newUrl();
    await expectSteps((steps) => openPostgres(url, steps));
  });
});

describe('SQLite', () => {
  const beat = "INSERT INTO heartbeat VALUES (1, '0', x'')";
  let database: Database;
  let dataDir: string;
  let store: Store;

  beforeEach(() => {
    database = openDatabase(temporaryFolder());
    dataDir = dirname(database.path);
    store = storeIn(database);
  });

  afterEach(() => database.close());

  test('is created by six processes at once, and stores a lead once that all of them receive', async () => {
    const folder = temporaryFolder();
    const racers = Array.from({ length: 6 }, () => startAdding(folder, 'raced', 20));
    await Promise.all(racers.map(({ ready }) => ready));
    for (const { go } of racers) go();
    expect(await Promise.all(racers.map(({ ended }) => ended))).toEqual(Array(6).fill(0));
    const kept = storeIn(openDatabase(folder));
    const leads = await Array.fromAsync(kept.leads.all());
    await kept.close();
    // Without gaps, in any order of the processes.
    expect(leads.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    for (const { receipts } of racers) expect([...receipts.values()]).toMatchObject(leads);
  });

  testIf({ programs: ['strace'] })('acknowledges a lead only after its fsync', async () => {
    const log = join(temporaryFolder(), 'strace.log');
    const tracing = ['strace', '-f', '-qq', '-e', 'trace=fsync,fdatasync,write', '-o', log];
    const { go, ended, receipts } = startAdding(dataDir, 'traced', 30, tracing);
    go();
    expect([await ended, receipts.size]).toEqual([0, 30]);
    // The system calls before each receipt.
    const works = readFileSync(log, 'utf8')
      .split(/write\(1, "\{\\"key\\".*/)
      .slice(0, -1);
    expect(works).toHaveLength(30);
    for (const work of works) expect(work).toMatch(/\bf(data)?sync.*= 0$/m);
  });

  test('makes a folder that it creates and its files private to their owner, and keeps the mode of an existing folder', async () => {
    const folder = join(temporaryFolder(), 'made', 'on', 'the', 'way');
    const umask = process.umask(0);
    const opened = openDatabase(folder);
    await opened.query(beat);
    process.umask(umask);
    const all = [folder, ...readdirSync(folder).map((name) => join(folder, name))];
    const modes = () => all.map((path) => (statSync(path).mode & 0o777).toString(8));
    expect(modes()).toEqual(['700', '600', '600', '600']);
    for (const path of all) chmodSync(path, path === folder ? 0o755 : 0o644);
    const again = openDatabase(folder);
    expect(modes()).toEqual(['755', '600', '600', '600']);
    await again.close();
    await opened.close();
  });

  test.each([
    [
      'a file that is not a database',
      'the file is no database; move it away or correct DATA_DIR',
      () => {
        const folder = temporaryFolder();
        writeFileSync(databasePath(folder), 'It was a dark and stormy night. '.repeat(200));
        return folder;
      },
    ],
    [
      'a folder that its user cannot write to',
      `the user ${userInfo().username} cannot write there; let them`,
      () => {
        const folder = temporaryFolder();
        chmodSync(folder, 0o500);
        // An unprivileged user, because root can write everywhere.
        process.seteuid?.(process.getuid?.() || 65_534);
        return folder;
      },
    ],
  ])('says what to do about %s', (_, message, make) => {
    const folder = make();
    try {
      expect(() => openDatabase(folder)).toThrow(
        `The database ${databasePath(folder)} in DATA_DIR cannot be opened: ${message}`,
      );
    } finally {
      process.seteuid?.(process.getuid?.() ?? 0);
    }
  });

  test.each([
    [
      'read-only',
      () => 'query_only = ON',
      'query_only = OFF',
      'cannot write there; let them write to the file and its folder',
    ],
    [
      'full',
      (pages: number) => `max_page_count = ${pages}`,
      'max_page_count = 1000000',
      'the disk is full; free some space',
    ],
  ])(
    'reports that it is %s, stays readable, and accepts writes again once that is fixed',
    async (_, broken, mended, message) => {
      const long = newLead({ message: 'ы'.repeat(4_000) });
      await store.leads.add(newLead(), arrival);
      const [{ page_count: pages = 0 } = {}] = await database.query<{ page_count: number }>('PRAGMA page_count');
      database.connection.exec(`PRAGMA ${broken(pages)}`);
      for (const attempt of [store.leads.add(long, arrival), store.leads.probe()])
        await expect(attempt).rejects.toThrow(message);
      expect(await store.leads.find(1)).toBeDefined();
      database.connection.exec(`PRAGMA ${mended}`);
      expect((await store.leads.add(long, arrival)).number).toBe(2);
    },
  );

  test('reports a damaged page that a lead needs, and stays readable', async () => {
    await store.leads.add(newLead(), arrival);
    const [{ page = 0 } = {}] = await database.query<{ page: number }>(
      `SELECT rootpage AS page FROM sqlite_schema WHERE name = 'delivery_due'`,
    );
    await store.close();
    const bytes = readFileSync(database.path);
    writeFileSync(database.path, bytes.fill(0xa5, (page - 1) * 4096, page * 4096));
    database = openDatabase(dataDir);
    const { leads } = storeIn(database);
    const canary = newLead({ phone: '+12025550142', phoneTyped: '+1 202 555 0142' });
    for (const attempt of [leads.probe(), leads.add(canary, arrival)])
      await expect(attempt).rejects.toThrow('is damaged');
    expect(await leads.find(1)).toBeDefined();
  });

  test('isolates a transaction from other queries on the connection, and never keeps half of one', async () => {
    const at = async (ask: Database['query']) => (await ask<{ at: string }>('SELECT at FROM heartbeat'))[0]?.at;
    await database.query(beat);
    const count = (fails: boolean) =>
      database.transact(async (query) => {
        const before = await at(query);
        await query(`UPDATE heartbeat SET at = 'half'`);
        expect(await at(query)).toBe('half');
        if (fails) throw new Error('in the middle');
        await query('UPDATE heartbeat SET at = $1', [String(Number(before) + 1)]);
      });
    const work = Array.from({ length: 9 }, (_, n) => (n % 3 === 0 ? at(database.query) : count(n % 3 === 1)));
    const results = await Promise.allSettled(work);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(3);
    expect(results.map((result) => 'value' in result && result.value)).not.toContain('half');
    expect(await at(database.query)).toBe('3');
  });

  describe('while another process holds the lock', () => {
    let other: Database;

    beforeEach(() => {
      other = openDatabase(dataDir);
      other.connection.exec('BEGIN IMMEDIATE');
    });

    afterEach(() => other.close());

    test('waits without blocking the event loop', async () => {
      const written = database.query(beat);
      // A blocking wait would give up before it reached this line.
      await turn();
      other.connection.exec('COMMIT');
      await written;
      expect(await other.query('SELECT at FROM heartbeat')).toHaveLength(1);
    });

    test('gives up after five seconds, not earlier, and says what to do', async () => {
      let clock = 0;
      const performanceNow = jest.spyOn(performance, 'now').mockImplementation(() => clock);
      const ended = jest.fn();
      const written = database.query(beat).finally(ended);
      const failed = expect(written).rejects.toThrow('another process holds it; find that process and end it');
      clock = 4_999;
      await sleep(200);
      expect(ended).not.toHaveBeenCalled();
      clock = 5_001;
      await failed;
      performanceNow.mockRestore();
    });
  });

  test.each([
    ['deleted', () => {}],
    ['replaced by a copy', (path: string) => copyFileSync(`${path}.moved`, path)],
  ])('refuses to write into a file that was %s', async (_, afterwards) => {
    renameSync(database.path, `${database.path}.moved`);
    afterwards(database.path);
    await expect(database.query(beat)).rejects.toThrow('was moved or deleted while it was open');
  });
});

describe('PostgreSQL', () => {
  const opened: Postgres[] = [];

  afterEach(() => Promise.all(opened.splice(0).map((postgres) => postgres.close())));

  async function open(url: string): Promise<Postgres> {
    const postgres = await openPostgres(url);
    opened.push(postgres);
    return postgres;
  }

  /** The message of the thrown error. Expects it to reveal neither the password nor the words of a visitor. */
  async function failureOf(work: Promise<unknown>): Promise<string> {
    const error = await work.catch((error: unknown) => error);
    expect(error).toBeInstanceOf(StoreError);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/Canary|9161234567/);
    return String(error);
  }

  testPostgres('gets its schema once when six processes open it at once', async () => {
    const url = await newUrl();
    const all = await Promise.all(Array.from({ length: 6 }, () => open(url)));
    for (const { query } of all) {
      expect(await query('SELECT version FROM korob_version')).toEqual([{ version: schemaFor('postgres').length }]);
    }
  });

  testPostgres.each([
    ['with a wrong password', (url: string) => url.replace(postgresPassword, 'x'), /password authentication failed/],
    [
      'on a port without a server',
      async (url: string) => url.replace(/:\d+\//, `:${await freePort()}/`),
      / 127\.0\.0\.1:\d+\/korob_\d+ cannot be used: the connection was refused; check/,
    ],
    [
      'with an encoding that lacks characters',
      () => newUrl('SQL_ASCII'),
      /its encoding is SQL_ASCII; create a database with ENCODING/,
    ],
  ])('%s does not open, and its error states the reason', async (_, spoil, message) => {
    expect(await failureOf(open(await spoil(await newUrl())))).toMatch(message);
  });

  testPostgres('repeats a transaction that it ended because of a deadlock', async () => {
    const { transact, query } = await open(await newUrl());
    await query(`INSERT INTO consent_text VALUES ('a', ''), ('b', '')`);
    const orders = [
      ['a', 'b'],
      ['b', 'a'],
    ];
    const started = orders.map(() => Promise.withResolvers<void>());
    let runs = 0;
    const add = (order: string[], n: number) =>
      transact(async (query) => {
        runs += 1;
        for (const hash of order) {
          await query('UPDATE consent_text SET text = text || $1 WHERE hash = $2', [String(n), hash]);
          started[n]?.resolve();
          await Promise.all(started.map(({ promise }) => promise));
        }
      });
    await Promise.all(orders.map(add));
    expect(runs).toBe(3);
    const texts = await query<{ text: string }>('SELECT text FROM consent_text');
    expect(texts.map(({ text }) => text.length)).toEqual([2, 2]);
  });

  testPostgres('repeats the words of a visitor in no error', async () => {
    const { leads } = storeIn(await open(await newUrl()));
    const bad = newLead({ message: 'MessageCanary', preset: null as unknown as string });
    expect(await failureOf(leads.add(bad, arrival))).toContain('it refuses a value (23502)');
  });

  testPostgres('fails with the reason while its server hangs, and works again afterwards', async () => {
    const proxy = await startTcpProxy((await sharedPostgres()).port);
    const url = (await newUrl()).replace(/:\d+\//, `:${proxy.port}/`);
    const { leads } = storeIn(await open(url));
    await leads.add(newLead(), arrival);
    proxy.freeze();
    const attempts = [leads.add(newLead({ key: 'during' }), arrival), leads.find(1), open(url)];
    for (const message of await Promise.all(attempts.map(failureOf))) {
      expect(message).toMatch(/it does not answer; see whether PostgreSQL and the network work/);
    }
    proxy.thaw();
    await leads.probe();
  });

  testPostgres(
    'fails and counts its failures after a crash of its server, and has every acknowledged lead after the restart',
    async () => {
      const server = await sharedPostgres();
      const onError = jest.fn();
      const { sql, leads } = storeIn(await open(await newUrl()), { onError });
      const add = (n: number) => leads.add(newLead({ key: `lead-${n}` }), arrival);
      // The test server has another default.
      expect(await sql.query('SHOW synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
      // More leads at once than connections, so that idle connections break, too.
      const receipts = await Promise.all(Array.from({ length: 20 }, (_, n) => add(n)));
      await failureOf(
        sql.transact(async (query) => {
          await query('INSERT INTO consent_text VALUES ($1, $1)', ['half']);
          await server.crash();
          await query('SELECT 1');
        }),
      );
      expect(await failureOf(add(20))).toMatch(/the connection was refused|closed the connection|terminated/);
      await failureOf(leads.probe());
      expect(onError).toHaveBeenCalledTimes(3);

      await server.start();
      expect(await sql.query('SELECT * FROM consent_text')).toEqual([]);
      expect(await Promise.all(receipts.map(({ receipt }) => leads.receipt(receipt)))).toEqual(receipts);
      await add(20);
    },
  );
});
