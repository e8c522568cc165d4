import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeAll, expect } from '@jest/globals';
import { storedBroadcast } from '../../broadcast/broadcast.ts';
import { collect } from '../../testing/lead-store.contract.ts';
import { bill, newLead, plan } from '../../testing/leads.ts';
import { initdbPath, type PostgresServer, startPostgres } from '../../testing/postgres.ts';
import { has, testWith } from '../../testing/requires.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { moveTo } from './backup.ts';
import type { DeliveryRecord } from './deliveries.ts';
import { type Link, linksIn } from './links.ts';
import { storeIn } from './open-store.ts';
import { openPostgres, type Postgres } from './postgres.ts';
import { keepConsentText } from './retention.ts';
import { openDatabase } from './sqlite.ts';

const test = testWith(initdbPath, 'leads move from SQLite to PostgreSQL');

let server: PostgresServer;
const opened: Postgres[] = [];

beforeAll(async () => {
  if (has(initdbPath)) server = await startPostgres();
}, 60_000);

afterEach(async () => {
  await Promise.all(opened.splice(0).map((postgres) => postgres.close()));
});

async function open(url: string): Promise<Postgres> {
  const postgres = await openPostgres(url);
  opened.push(postgres);
  return postgres;
}

const broadcast = { status: true, url: 'https://video.example/live', until: '2099-01-01T00:00:00.000Z' } as const;
const link: Link = { lead: 2, name: 'mail', until: '2099-01-01T00:00:00.000Z' };

/** A folder with all that a server leaves, and what its stores say of it. */
async function used(count: number) {
  const dataDir = temporaryFolder();
  const database = openDatabase(dataDir);
  const store = storeIn(database);
  const told = { ...plan, channels: ['mail', 'webhook'], escalateAt: '2026-11-20T10:00:00.000Z' };
  await Promise.all(
    Array.from({ length: count }, (_, n) =>
      store.leads.add(
        newLead({
          key: `moved-${n}`,
          phone: `+${n}`,
          message: `${n} "\\ \0 ы`,
          calculation: n % 2 ? bill : null,
        }),
        n % 7 === 3 ? plan : told,
      ),
    ),
  );
  await store.leads.add(newLead({ key: 'quarantined' }), { ...plan, quarantined: true });
  await store.deliveries.digest('2026-11-20', ['mail'], 10);
  await store.leads.erase(`+${count - 1}`);
  await store.leads.take(1, 'mail');
  const [delivered, failed] = await store.deliveries.claim('mail', {
    limit: 2,
    now: new Date().toISOString(),
    latest: '9999-01-01T00:00:00.000Z',
    leaseUntil: '2027-01-01T00:00:00.000Z',
  });
  await store.deliveries.settle([
    { id: delivered?.id ?? '', at: '2026-11-20T10:00:00.123Z', delivered: true },
    { id: failed?.id ?? '', at: '2026-11-20T10:00:00.000Z', error: 'no', retryAt: null },
  ]);
  await keepConsentText(store.sql, { body: { html: 'Я согласен' } });
  await store.leads.note(1, { key: 'key-of-a-note', by: 'Анна', text: 'Перезвонить' });
  const token = await linksIn(database).add(link);
  await storedBroadcast(database).set(broadcast);
  const leads = await collect(store.leads.all());
  const deliveries = await Promise.all(leads.map(({ number }) => store.deliveries.of(number)));
  const all = {
    leads,
    deliveries,
    untaken: (await store.deliveries.untaken(new Date().toISOString(), 5_000)).map(({ lead }) => lead.number).sort(),
    oldest: await store.leads.oldestUntaken(),
    consents: database.connection.prepare('SELECT * FROM consent_text').all(),
    digest: database.connection.prepare('SELECT day, lead FROM digest').get(),
  };
  await store.close();
  database.close();
  return {
    dataDir,
    token,
    all: { ...all, consents: all.consents.map((row) => ({ ...row })), digest: { ...all.digest } },
  };
}

async function allIn(postgres: Postgres) {
  const store = storeIn(postgres);
  const leads = await collect(store.leads.all());
  // One after another: on a busy machine, a thousand at once would wait for a connection for too long.
  const deliveries: DeliveryRecord[][] = [];
  for (const { number } of leads) deliveries.push(await store.deliveries.of(number));
  return {
    leads,
    deliveries,
    untaken: (await store.deliveries.untaken(new Date().toISOString(), 5_000)).map(({ lead }) => lead.number).sort(),
    oldest: await store.leads.oldestUntaken(),
    consents: await postgres.query('SELECT hash, text FROM consent_text'),
    digest: (await postgres.query('SELECT day, lead FROM digest'))[0],
  };
}

const tables = ['lead', 'delivery', 'link', 'consent_text', 'broadcast'];
async function rowsIn({ query }: Postgres): Promise<number> {
  const counts = tables.map(async (table) => (await query(`SELECT 1 FROM ${table}`)).length);
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

test('everything moves, and what comes next has the next number', async () => {
  const { dataDir, all, token } = await used(1_100);
  const postgres = await open(await server.newDatabase());
  const store = storeIn(postgres);
  const moved = await moveTo(postgres, dataDir);
  expect(moved).toEqual({ leads: 1_100, deliveries: all.deliveries.flat().length });
  expect(await allIn(postgres)).toEqual(all);
  const { read, set } = storedBroadcast(postgres);
  expect(await read()).toEqual(broadcast);
  await set({ ...broadcast, until: new Date(Date.now() - 1).toISOString() });
  expect(await read()).toEqual({ status: false });
  expect(await linksIn(postgres).find(token)).toEqual(link);
  // The number of a lead that was erased is not given again; the same form is still the same lead.
  const [first] = all.leads;
  expect((await store.leads.add(newLead({ key: 'moved-0', phone: '+0', message: '0 "\\ \0 ы' }), plan)).receipt).toBe(
    first?.receipt,
  );
  expect((await store.leads.add(newLead({ key: 'new-one' }), plan)).number).toBe(1_102);
});

test('a database that holds leads is refused and stays as it is', async () => {
  const { dataDir } = await used(3);
  const postgres = await open(await server.newDatabase());
  await storeIn(postgres).leads.add(newLead(), plan);
  await expect(moveTo(postgres, dataDir)).rejects.toThrow(/holds 1 leads already; nothing was/);
  expect((await collect(storeIn(postgres).leads.all())).map(({ number }) => number)).toEqual([1]);
});

test('a file that a server uses is refused', async () => {
  const { dataDir } = await used(3);
  const postgres = await open(await server.newDatabase());
  const inUse = openDatabase(dataDir);
  await expect(moveTo(postgres, dataDir)).rejects.toThrow(/korob\.sqlite was not moved; stop the server/);
  expect(await rowsIn(postgres)).toBe(0);
  await inUse.close();
  expect((await moveTo(postgres, dataDir)).leads).toBe(3);
});

test('killed in the middle it has moved nothing, and the next time all', async () => {
  const { dataDir, all } = await used(600);
  const url = await server.newDatabase();
  const postgres = await open(url);
  const source = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const program = `
    const { openPostgres } = await import(${source('./postgres.ts')});
    const { moveTo } = await import(${source('./backup.ts')});
    const postgres = await openPostgres(process.env.DATABASE_URL);
    const transact = (work) => postgres.transact((query) => work(async (text, values) => {
      if (text.includes('INSERT INTO delivery')) process.kill(process.pid, 'SIGKILL');
      return query(text, values);
    }));
    await moveTo({ ...postgres, transact }, ${JSON.stringify(dataDir)});`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: 'ignore',
  });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  expect(await rowsIn(postgres)).toBe(0);
  await moveTo(postgres, dataDir);
  expect(await allIn(postgres)).toEqual(all);
});
