import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Database, openDatabase } from './database.ts';
import { type Lead, type LeadStore, StoreError } from './lead.ts';
import { sqliteLeadStore } from './sqlite-store.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { addingCommand, listenTo, newLead, plan, receiptsIn } from './testing.ts';

let folder: string;
let database: Database;
let store: LeadStore;

beforeEach(() => {
  folder = temporaryFolder();
  database = openDatabase(folder);
  store = sqliteLeadStore(database);
});

afterEach(async () => {
  await store.close();
  database.close();
});

/** Counts by a connection of its own, which sees only what is committed. */
function rows(): number {
  const other = new DatabaseSync(database.path, { readOnly: true });
  const count = Number(other.prepare('SELECT count(*) AS n FROM lead').get()?.n);
  other.close();
  return count;
}

async function collect(leads: AsyncIterable<Lead>): Promise<Lead[]> {
  const all: Lead[] = [];
  for await (const lead of leads) all.push(lead);
  return all;
}

describe('add', () => {
  test('resolves when another process can read the lead, whole', async () => {
    const before = new Date().toISOString();
    const receipt = await store.add(newLead(), plan);
    expect(rows()).toBe(1);
    expect(receipt).toEqual({
      number: 1,
      receipt: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
      receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      preset: 'consultation',
      takenAt: null,
    });
    expect(receipt.receivedAt >= before).toBe(true);
    const { key: _, ...words } = newLead();
    expect(await store.find(1)).toEqual({ ...words, ...receipt, state: 'new', takenBy: null });
    expect(await store.receipt(receipt.receipt)).toEqual(receipt);
  });

  test('gives numbers that count up and receipts that differ', async () => {
    const receipts = await Promise.all(
      Array.from({ length: 20 }, (_, n) => store.add(newLead({ key: `key-${n}-of-20` }), plan)),
    );
    expect(receipts.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    expect(new Set(receipts.map(({ receipt }) => receipt)).size).toBe(20);
  });

  test('puts a lead into quarantine when it is told to, and keeps its signals', async () => {
    await store.add(newLead({ signals: ['honeypot'] }), { ...plan, quarantined: true });
    expect(await store.find(1)).toMatchObject({ state: 'quarantined', signals: ['honeypot'] });
  });

  test('keeps what is null null', async () => {
    await store.add(newLead({ name: null, message: null, attribution: {} }), plan);
    expect(await store.find(1)).toMatchObject({ name: null, message: null, attribution: {} });
  });

  test('after close is refused, and what was waiting is kept', async () => {
    const waiting = store.add(newLead(), plan);
    await store.close();
    expect((await waiting).number).toBe(1);
    expect(rows()).toBe(1);
    await expect(store.add(newLead({ key: 'too-late' }), plan)).rejects.toBeInstanceOf(StoreError);
  });
});

describe('the same form sent again', () => {
  test('with the same words is the same lead', async () => {
    const [first, again] = await Promise.all([store.add(newLead(), plan), store.add(newLead(), plan)]);
    const later = await store.add(newLead({ page: '/elsewhere', attribution: {} }), plan);
    expect(again).toEqual(first);
    expect(later).toEqual(first);
    expect(rows()).toBe(1);
  });

  test.each([
    { preset: 'price' },
    { name: 'Яна' },
    { name: null },
    { phone: '+79161234568' },
    { phoneTyped: '8 (916) 123-45-67 доб. 13' },
    { message: 'Сколько стоит доставка?' },
    { message: null },
  ])('with other words is another lead: %j', async (words) => {
    const first = await store.add(newLead(), plan);
    const other = await store.add(newLead(words), plan);
    expect(other.receipt).not.toBe(first.receipt);
    expect(rows()).toBe(2);
  });

  test('words that move from one field to another are other words', async () => {
    await store.add(newLead({ phoneTyped: 'a', message: 'b,c' }), plan);
    await store.add(newLead({ phoneTyped: 'a,b', message: 'c' }), plan);
    expect(rows()).toBe(2);
  });

  test('another form with the same words is another lead', async () => {
    await store.add(newLead(), plan);
    await store.add(newLead({ key: 'key-of-another' }), plan);
    expect(rows()).toBe(2);
  });

  test('by two processes at once is the same lead', async () => {
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
});

describe('leads that arrive in one turn', () => {
  function counting(): { store: LeadStore; commits: () => number } {
    let commits = 0;
    const counted = sqliteLeadStore({
      ...database,
      write: (work) => {
        commits++;
        return database.write(work);
      },
    });
    return { store: counted, commits: () => commits };
  }

  test('share one commit', async () => {
    const { store, commits } = counting();
    await Promise.all(Array.from({ length: 50 }, (_, n) => store.add(newLead({ key: `key-${n}-of-50` }), plan)));
    expect(commits()).toBe(1);
    expect(rows()).toBe(50);
  });

  test('one that cannot be kept takes no other with it', async () => {
    const { store, commits } = counting();
    const bad = newLead({ key: 'bad-lead', phone: null as unknown as string });
    const results = await Promise.allSettled([
      store.add(newLead({ key: 'good-lead-1' }), plan),
      store.add(bad, plan),
      store.add(newLead({ key: 'good-lead-2' }), plan),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: expect.any(StoreError) });
    expect(commits()).toBe(1);
    expect((await collect(store.all())).map(({ number }) => number)).toEqual([1, 2]);
  });

  test('are all refused when the commit fails', async () => {
    const failing = sqliteLeadStore({
      ...database,
      write: (work) =>
        database.write(() => {
          work();
          throw new Error('the disk is gone');
        }),
    });
    const results = await Promise.allSettled([
      failing.add(newLead(), plan),
      failing.add(newLead({ key: 'another-key' }), plan),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(results[0]).toMatchObject({ reason: expect.any(StoreError) });
    expect(rows()).toBe(0);
  });
});

describe('reading', () => {
  test('finds nothing where nothing is', async () => {
    expect(await store.find(1)).toBeUndefined();
    expect(await store.receipt('')).toBeUndefined();
    expect(await store.list({ limit: 10 })).toEqual([]);
    expect(await collect(store.all())).toEqual([]);
  });

  test('lists the newest first, by state, no more than asked', async () => {
    for (const n of [1, 2, 3, 4, 5])
      await store.add(newLead({ key: `listed-${n}` }), { ...plan, quarantined: n % 2 === 0 });
    const numbers = async (filter: Parameters<LeadStore['list']>[0]) => (await store.list(filter)).map((l) => l.number);
    expect(await numbers({ limit: 10 })).toEqual([5, 4, 3, 2, 1]);
    expect(await numbers({ limit: 2 })).toEqual([5, 4]);
    expect(await numbers({ state: 'new', limit: 2 })).toEqual([5, 3]);
    expect(await numbers({ state: 'quarantined', limit: 10 })).toEqual([4, 2]);
  });

  test.each([199, 200, 201, 400, 450])('all %d leads come once each, oldest first', async (count) => {
    await Promise.all(Array.from({ length: count }, (_, n) => store.add(newLead({ key: `all-key-${n}` }), plan)));
    const numbers = (await collect(store.all())).map(({ number }) => number);
    expect(numbers).toEqual(Array.from({ length: count }, (_, n) => n + 1));
  });
});

describe('a disk that takes nothing', () => {
  test('read-only: add and check say so, reading goes on, and so does everything once it is mended', async () => {
    await store.add(newLead(), plan);
    database.connection.exec('PRAGMA query_only = ON');
    const error = await store.add(newLead({ key: 'another-key' }), plan).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StoreError);
    expect(String(error)).toContain('it is read-only; let the user of this process write');
    await expect(store.check()).rejects.toThrow('read-only');
    expect(await store.find(1)).toBeDefined();

    database.connection.exec('PRAGMA query_only = OFF');
    await store.check();
    expect((await store.add(newLead({ key: 'another-key' }), plan)).number).toBe(2);
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
      expect(await store.receipt(receipt)).toBeDefined();
      expect((await store.find(number))?.message).toBe(`words of ${key}`);
    }
    expect(database.connection.prepare('PRAGMA integrity_check').get()).toMatchObject({ integrity_check: 'ok' });
  });

  test('too many pages: the operator is told to free space', async () => {
    const { page_count: pages } = database.connection.prepare('PRAGMA page_count').get() ?? {};
    database.connection.exec(`PRAGMA max_page_count = ${pages}`);
    const long = newLead({ message: 'ы'.repeat(4_000) });
    const error = await store.add(long, plan).catch((reason: unknown) => reason);
    expect(String(error)).toContain('the disk is full; free some space');
    await expect(store.check()).rejects.toThrow('the disk is full');
    database.connection.exec('PRAGMA max_page_count = 1000000');
    expect((await store.add(long, plan)).preset).toBe('consultation');
  });

  test('a closed database is a StoreError for every method', async () => {
    database.close();
    const attempts = await Promise.allSettled([
      store.add(newLead(), plan),
      store.receipt('x'),
      store.find(1),
      store.list({ limit: 1 }),
      collect(store.all()),
      store.check(),
    ]);
    for (const attempt of attempts) expect(attempt).toMatchObject({ reason: expect.any(StoreError) });
  });
});

test('a check leaves no lead behind', async () => {
  await store.check();
  await store.check();
  expect(rows()).toBe(0);
});
