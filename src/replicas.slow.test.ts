import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, expect, test as jestTest } from '@jest/globals';
import { startWebhook } from './faults/testing.ts';
import { openPostgres, type Postgres } from './leads/store/postgres.ts';
import { type Answer, asForm, ask } from './testing/ask.ts';
import { eventually } from './testing/eventually.ts';
import { nginxPath, startNginx } from './testing/nginx.ts';
import { initdbPath, type PostgresServer, postgresPassword, startPostgres } from './testing/postgres.ts';
import { type RedisServer, startRedis } from './testing/redis.ts';
import { has, testWith } from './testing/requires.ts';
import { type ServerProcess, startServerProcess } from './testing/server-process.ts';
import { startTcpProxy } from './testing/tcp-proxy.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { filledForm } from './testing/test-site.ts';

const test = testWith(initdbPath, 'several processes share PostgreSQL');
const needed = [initdbPath, nginxPath, 'redis-server'];
const testCluster = testWith(
  needed.find((program) => !has(program)) ?? initdbPath,
  'replicas behind nginx lose nothing',
);

let postgres: PostgresServer;
const started: ServerProcess[] = [];
/** Cleanup, also after a failure. */
let atEnd: (() => unknown)[] = [];

beforeAll(async () => {
  if (has(initdbPath)) postgres = await startPostgres();
}, 60_000);

afterEach(async () => {
  for (const { child, exited } of started.splice(0)) {
    child.kill('SIGKILL');
    await exited;
  }
  for (const end of atEnd.reverse()) await end();
  atEnd = [];
});

async function start(env: NodeJS.ProcessEnv): Promise<ServerProcess> {
  const server = await startServerProcess({ DATA_DIR: temporaryFolder(), TRUST_PROXY: '1', ...env });
  started.push(server);
  return server;
}

async function openDatabase(url: string): Promise<Postgres> {
  const database = await openPostgres(url);
  atEnd.push(() => database.close());
  return database;
}

let visitors = 0;
/** Each request has its own address; all of 127.0.0.0/8 is this machine. */
function post(port: number, message: string): Promise<Answer> {
  visitors += 1;
  const from = `127.1.${visitors >> 8}.${visitors & 255 || 1}`;
  const headers = { 'x-forwarded-for': from };
  return ask(port, '/contact', asForm({ ...filledForm, message }, { from, headers }));
}

type Sent = { message: string; began: number; answer: Answer | undefined };

function startLoad(port: number, width: number): { sent: Sent[]; stop(): Promise<void> } {
  const sent: Sent[] = [];
  let going = true;
  const visitor = async (name: number) => {
    for (let count = 0; going; count++) {
      const message = `Вопрос ${name}-${count}`;
      const began = performance.now();
      const answer = await post(port, message).catch(() => undefined);
      sent.push({ message, began, answer });
      await sleep(10);
    }
  };
  const visitorsAll = Array.from({ length: width }, (_, name) => visitor(name));
  return {
    sent,
    async stop() {
      going = false;
      await Promise.all(visitorsAll);
    },
  };
}

const acknowledged = (sent: readonly Sent[]) =>
  new Map(
    sent.flatMap(({ answer, message }) =>
      answer?.status === 303 ? [[answer.headers.location ?? '', message] as const] : [],
    ),
  );

async function expectStored({ query }: Postgres, sent: readonly Sent[]): Promise<void> {
  const rows = await query<{ receipt: string; details: string }>('SELECT receipt, details FROM lead');
  const stored = new Map(rows.map(({ receipt, details }) => [`/contact/${receipt}`, JSON.parse(details).message]));
  for (const [receipt, message] of acknowledged(sent))
    expect([receipt, stored.get(receipt)]).toEqual([receipt, message]);
}

const startReceiver = (milliseconds: number) =>
  startWebhook((res) => void setTimeout(() => res.writeHead(204).end(), milliseconds));

test('PostgreSQL crashes under load: honest answers, nothing acknowledged is lost, and it goes on by itself', async () => {
  const url = await postgres.newDatabase();
  const server = await start({ DATABASE_URL: url });
  const ready = async () => (await fetch(`${server.url}/readyz`)).status;
  expect(await ready()).toBe(200);
  const load = startLoad(server.port, 6);
  await eventually(() => load.sent.length > 30);
  await postgres.crash();
  const refused = () => load.sent.filter(({ answer }) => answer?.status === 503);
  await eventually(() => refused().length > 5);
  await eventually(async () => (await ready()) === 503);
  await postgres.start();
  const before = acknowledged(load.sent).size;
  await eventually(() => acknowledged(load.sent).size > before + 30);
  await load.stop();
  await eventually(async () => (await ready()) === 200);

  expect(new Set(load.sent.map(({ answer }) => answer?.status))).toEqual(new Set([303, 503]));
  for (const { answer, message } of refused()) {
    expect(answer?.text).toContain(message);
    expect(answer?.text.replace(/\s/g, ' ')).toContain('Заявка не отправлена: у нас неполадка');
    expect(answer?.text).toContain('href="tel:');
  }
  await expectStored(await openDatabase(url), load.sent);
  expect(server.output()).not.toContain(postgresPassword);
  expect(server.child.exitCode).toBeNull();
}, 30_000);

test('a process ends on SIGTERM though its database hangs', async () => {
  const proxy = await startTcpProxy(postgres.port);
  const { env } = await startReceiver(0);
  const url = (await postgres.newDatabase()).replace(/:\d+\//, `:${proxy.port}/`);
  const server = await start({ DATABASE_URL: url, ...env });
  expect((await post(server.port, 'Вопрос')).status).toBe(303);
  proxy.freeze();
  const waiting = post(server.port, 'Ещё вопрос').catch(() => undefined);
  await sleep(200);
  server.child.kill('SIGTERM');
  expect((await waiting)?.status).toBe(503);
  expect(await server.exited).toBe(0);
}, 30_000);

testCluster(
  'three replicas behind nginx: Redis dies, then one replica under load, and no request is lost, none taken twice',
  async () => {
    const redis: RedisServer = await startRedis();
    atEnd.push(() => redis.kill());
    const url = await postgres.newDatabase();
    const { env, events: told } = await startReceiver(60);
    // As in compose.yaml, replicas share a folder.
    const dataDir = temporaryFolder();
    const shared = { DATABASE_URL: url, REDIS_URL: redis.url, DATA_DIR: dataDir, ...env };
    const replicas = await Promise.all([start(shared), start(shared), start(shared)]);
    const nginx = await startNginx(replicas.map(({ port }) => port));
    atEnd.push(() => nginx.stop());
    const database = await openDatabase(url);
    await database.query('CREATE TABLE taken (lead integer)');
    await database.query(
      `CREATE FUNCTION note_taken() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO taken VALUES (new.number); RETURN new; END'`,
    );
    await database.query(
      'CREATE TRIGGER note_taken AFTER UPDATE OF taken_at ON lead FOR EACH ROW EXECUTE FUNCTION note_taken()',
    );

    const width = 8;
    const load = startLoad(nginx.port, width);
    await eventually(() => load.sent.length > 40);
    await redis.kill();
    const withoutRedis = load.sent.length;
    await eventually(() => load.sent.length > withoutRedis + 40);
    expect(load.sent.filter(({ answer }) => answer?.status !== 303)).toEqual([]);

    const [doomed] = replicas;
    if (!doomed) throw new Error('There are no replicas.');
    doomed.child.kill('SIGKILL');
    await doomed.exited;
    const ended = performance.now();
    const withoutReplica = load.sent.length;
    await eventually(() => load.sent.length > withoutReplica + 60);
    await load.stop();

    const failed = load.sent.filter(({ answer }) => answer?.status !== 303);
    expect(failed.length).toBeLessThanOrEqual(width);
    for (const { began } of failed) expect(began).toBeLessThan(ended + 100);
    await expectStored(database, load.sent);

    // Deliveries claimed by the killed replica wait for their lease to expire.
    const open = `FROM delivery WHERE state = 'waiting'`;
    await eventually(async () => (await database.query(`SELECT 1 ${open} AND due_at <= now()`)).length === 0);
    await eventually(async () => (await database.query(`SELECT 1 ${open}`)).length <= 16);
    await sleep(300);
    await database.query(`UPDATE delivery SET due_at = now() WHERE state = 'waiting'`);
    await eventually(async () => (await database.query(`SELECT 1 ${open}`)).length === 0);
    const leads = await database.query<{ number: number }>('SELECT number FROM lead ORDER BY number');
    expect([...new Set(told.map(({ data }) => data.number))].sort((a, b) => a - b)).toEqual(
      leads.map(({ number }) => number),
    );
    // Duplicates have the same id, and only those claimed by the killed replica are sent twice.
    expect(new Set(told.map(({ id }) => id)).size).toBe(leads.length);
    expect(told.length - leads.length).toBeLessThanOrEqual(16);

    const links = told.slice(0, 20).map(({ data }) => new URL(data.takeUrl).pathname);
    const takes = await Promise.all(
      [...links, ...links, ...links].map((path) => ask(nginx.port, path, asForm({}, {}))),
    );
    expect(new Set(takes.map(({ status }) => status))).toEqual(new Set([303]));
    const taken = await database.query<{ lead: number }>('SELECT lead FROM taken ORDER BY lead');
    expect(taken.map(({ lead }) => lead)).toEqual(
      [...new Set(told.slice(0, 20).map(({ data }) => data.number))].sort((a, b) => a - b),
    );
  },
  60_000,
);

jestTest(
  'two processes on one SQLite file: each delivery is sent by one of them, once',
  async () => {
    const { env, events: told } = await startReceiver(30);
    const shared = { DATA_DIR: temporaryFolder(), ...env };
    const servers = await Promise.all([start(shared), start(shared)]);
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, n) => post(servers[n % 2]?.port ?? 0, `Вопрос ${n}`)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    await eventually(() => told.length >= 120);
    await sleep(1_500); // A duplicate would be sent at the next poll, a second later.
    expect(told.map(({ data }) => data.number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 120 }, (_, n) => n + 1),
    );
    expect(new Set(told.map(({ id }) => id)).size).toBe(120);
  },
  30_000,
);
