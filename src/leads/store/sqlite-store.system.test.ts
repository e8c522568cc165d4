import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { StoreError } from '../../lib/store-error.ts';
import { leadStoreContract } from '../../testing/lead-store.contract.ts';
import { addingCommand, listenTo, newLead, plan, receiptsIn } from '../../testing/leads.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { type Store, storeIn } from './open-store.ts';
import { type Database, openDatabase } from './sqlite.ts';

let folder: string;
let database: Database;
let store: Store;

beforeEach(() => {
  folder = temporaryFolder();
  database = openDatabase(folder);
  store = storeIn(database);
});

afterEach(async () => {
  await store.close();
  database.close();
});

describe('leads in SQLite', () => {
  leadStoreContract(test, async () => {
    const opened: { close(): void }[] = [];
    const dataDir = temporaryFolder();
    const open = () => {
      const database = openDatabase(dataDir);
      opened.push(database);
      return database;
    };
    const database = open();
    const store = storeIn(database);
    const countOf = (table: string) => Number(open().connection.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
    return {
      store,
      another: async () => storeIn(open()),
      count: async () => ({ leads: countOf('lead'), deliveries: countOf('delivery') }),
      breakDatabase: async () => database.close(),
      async close() {
        await store.close();
        for (const database of opened) database.close();
      },
    };
  });
});

/** Counts by a connection of its own, which sees only what is committed. */
function rows(): number {
  const other = new DatabaseSync(database.path, { readOnly: true });
  const count = Number(other.prepare('SELECT count(*) AS n FROM lead').get()?.n);
  other.close();
  return count;
}

test('the same form sent to two processes at once is the same lead', async () => {
  const count = 200;
  const command = addingCommand(folder, 'raced', count, 4);
  const ready: (() => void)[] = [];
  const racers = [0, 1].map(() =>
    listenTo(command, (said, child) => {
      if (!('ready' in said)) return;
      ready.push(() => child.stdin?.end('!'));
      if (ready.length === 2) for (const go of ready) go();
    }),
  );
  const [one, two] = await Promise.all(racers.map(({ ended }) => ended.then(receiptsIn)));
  expect(one?.size).toBe(count);
  expect(new Map([...(one ?? [])].sort())).toEqual(new Map([...(two ?? [])].sort()));
  expect(rows()).toBe(count);
});

test('numbers have no gaps, whatever was sent twice or could not be kept', async () => {
  await Promise.all(['a', 'b', 'a', 'b'].map((key) => store.leads.add(newLead({ key }), plan)));
  await store.leads.add(newLead({ key: 'bad-lead', phone: null as unknown as string }), plan).catch(() => {});
  expect((await store.leads.add(newLead({ key: 'the-last-one' }), plan)).number).toBe(3);
});

describe('a disk that takes nothing', () => {
  test('read-only: add and check say so, reading goes on, and so does everything once it is mended', async () => {
    await store.leads.add(newLead(), plan);
    database.connection.exec('PRAGMA query_only = ON');
    const error = await store.leads.add(newLead({ key: 'another-key' }), plan).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StoreError);
    expect(String(error)).toContain('it is read-only; let the user of this process write');
    await expect(store.leads.probe()).rejects.toThrow('read-only');
    expect(await store.leads.find(1)).toBeDefined();

    database.connection.exec('PRAGMA query_only = OFF');
    await store.leads.probe();
    expect((await store.leads.add(newLead({ key: 'another-key' }), plan)).number).toBe(2);
  });

  test('full: add and check say so, and every lead that was acknowledged is there', async () => {
    const limited = ['bash', '-c', 'ulimit -f 1024; exec "$@"', '-', ...addingCommand(folder, 'filling', 100_000, 5)];
    const { child, ended } = listenTo(limited);
    child.stdin?.end();
    const said = await ended;
    expect(said.slice(-2)).toEqual([
      { error: expect.stringMatching(/^StoreError: .*the disk (reported an error|is full)/) },
      { check: expect.stringMatching(/^StoreError: .*the disk (reported an error|is full)/) },
    ]);
    const receipts = receiptsIn(said);
    expect(receipts.size).toBeGreaterThan(20);
    for (const [key, { receipt, number }] of receipts) {
      expect(await store.leads.receipt(receipt)).toBeDefined();
      expect((await store.leads.find(number))?.message).toBe(`words of ${key}`);
    }
    expect(database.connection.prepare('PRAGMA integrity_check').get()).toMatchObject({ integrity_check: 'ok' });
  });

  test('too many pages: the operator is told to free space', async () => {
    const { page_count: pages } = database.connection.prepare('PRAGMA page_count').get() ?? {};
    database.connection.exec(`PRAGMA max_page_count = ${pages}`);
    const long = newLead({ message: 'ы'.repeat(4_000) });
    const error = await store.leads.add(long, plan).catch((reason: unknown) => reason);
    expect(String(error)).toContain('the disk is full; free some space');
    await expect(store.leads.probe()).rejects.toThrow('the disk is full');
    database.connection.exec('PRAGMA max_page_count = 1000000');
    expect((await store.leads.add(long, plan)).preset).toBe('consultation');
  });
});
