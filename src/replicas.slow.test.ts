import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test as jestTest } from '@jest/globals';
import { openPostgres, type Postgres } from './database/postgres.ts';
import { eventually } from './testing/eventually.ts';
import { nginxPath, startNginx } from './testing/nginx.ts';
import { initdbPath, type PostgresServer, postgresPassword, startPostgres } from './testing/postgres.ts';
import { type RedisServer, startRedis } from './testing/redis.ts';
import { has, testWith } from './testing/requires.ts';
import { type ServerProcess, startServerProcess } from './testing/server-process.ts';
import { startTcpProxy } from './testing/tcp-proxy.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { browserHeaders } from './testing/test-site.ts';

const test = testWith(initdbPath, 'several processes share PostgreSQL');
const needed = [initdbPath, nginxPath, 'redis-server'];
const testCluster = testWith(
  needed.find((program) => !has(program)) ?? initdbPath,
  'replicas behind nginx lose nothing',
);

let postgres: PostgresServer;
const started: ServerProcess[] = [];
/** What must end with a test, even if that fails. */
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

afterAll(() => postgres?.stop());

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

type Answer = { status: number; location: string; text: string };

let visitors = 0;
/** Sends the form from an address of its own; every address of 127.0.0.0/8 is this machine. */
function post(port: number, message: string): Promise<Answer> {
  visitors += 1;
  const address = `127.1.${visitors >> 8}.${visitors & 255 || 1}`;
  const form = { preset: 'question', name: 'Анна', phone: '89161234567', message, consent: 'yes' };
  return send(port, '/contact', new URLSearchParams(form).toString(), address);
}

function send(port: number, path: string, body: string, address = '127.0.0.1'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...browserHeaders,
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': address,
    };
    const sent = request(
      { host: '127.0.0.1', port, path, method: 'POST', headers, agent: false, localAddress: address },
      async (response) => {
        let text = '';
        try {
          for await (const chunk of response.setEncoding('utf8')) text += chunk;
          resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? '', text });
        } catch (error) {
          reject(error);
        }
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

type Sent = { message: string; began: number; answer: Answer | undefined };

/** Visitors who send one form after the other, until they are told to stop. */
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
  new Map(sent.flatMap(({ answer, message }) => (answer?.status === 303 ? [[answer.location, message] as const] : [])));

async function expectStored({ query }: Postgres, sent: readonly Sent[]): Promise<void> {
  const { rows } = await query<{ number: number; receipt: string; message: string }>(
    'SELECT number, receipt, message FROM lead ORDER BY number',
  );
  const stored = new Map(rows.map(({ receipt, message }) => [`/contact/${receipt}`, message]));
  for (const [receipt, message] of acknowledged(sent))
    expect([receipt, stored.get(receipt)]).toEqual([receipt, message]);
  // No number is missing, whatever happened.
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
}

type Told = { id: string; number: number; takeUrl: string };

/** A receiver of webhooks that takes a while. */
async function startReceiver(milliseconds: number): Promise<{ env: NodeJS.ProcessEnv; told: Told[] }> {
  const told: Told[] = [];
  const server: Server = createServer(async (req, res) => {
    let text = '';
    for await (const chunk of req) text += chunk;
    const { number, takeUrl } = JSON.parse(text).data;
    await sleep(milliseconds);
    told.push({ id: String(req.headers['webhook-id']), number, takeUrl });
    res.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  return { told, env: { LEADS_WEBHOOK_URL: `http://127.0.0.1:${port}/`, LEADS_WEBHOOK_SECRET: secret } };
}

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
    expect(answer?.text).toContain('Заявка не отправлена: у нас неполадка');
    expect(answer?.text).toContain('href="tel:');
  }
  await expectStored(await openDatabase(url), load.sent);
  expect(server.output()).not.toContain(postgresPassword);
  expect(server.child.exitCode).toBeNull();
}, 30_000);

test('a process ends on SIGTERM though its database hangs', async () => {
  const proxy = await startTcpProxy(postgres.port);
  atEnd.push(() => proxy.stop());
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
    const { env, told } = await startReceiver(60);
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

    // What the killed one had claimed waits for the end of its lease. The others have sent the rest by then.
    const open = `FROM delivery WHERE state = 'waiting'`;
    await eventually(async () => (await database.query(`SELECT 1 ${open} AND due_at <= now()`)).count === 0);
    await eventually(async () => (await database.query(`SELECT 1 ${open}`)).count <= 16);
    await sleep(300);
    await database.query(`UPDATE delivery SET due_at = now() WHERE state = 'waiting'`);
    await eventually(async () => (await database.query(`SELECT 1 ${open}`)).count === 0);
    const { rows: leads } = await database.query<{ number: number }>('SELECT number FROM lead ORDER BY number');
    expect([...new Set(told.map(({ number }) => number))].sort((a, b) => a - b)).toEqual(
      leads.map(({ number }) => number),
    );
    // Whatever came twice came under the same id, and only what was in the hands of the killed one did.
    expect(new Set(told.map(({ id }) => id)).size).toBe(leads.length);
    expect(told.length - leads.length).toBeLessThanOrEqual(16);

    const links = told.slice(0, 20).map(({ takeUrl }) => new URL(takeUrl).pathname);
    const takes = await Promise.all([...links, ...links, ...links].map((path) => send(nginx.port, path, '')));
    expect(new Set(takes.map(({ status }) => status))).toEqual(new Set([303]));
    const { rows: taken } = await database.query<{ lead: number }>('SELECT lead FROM taken ORDER BY lead');
    expect(taken.map(({ lead }) => lead)).toEqual(
      [...new Set(told.slice(0, 20).map(({ number }) => number))].sort((a, b) => a - b),
    );
  },
  60_000,
);

jestTest(
  'two processes on one SQLite file: each delivery is sent by one of them, once',
  async () => {
    const { env, told } = await startReceiver(30);
    const shared = { DATA_DIR: temporaryFolder(), ...env };
    const servers = await Promise.all([start(shared), start(shared)]);
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, n) => post(servers[n % 2]?.port ?? 0, `Вопрос ${n}`)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    await eventually(() => told.length >= 120);
    await sleep(1_500); // Whoever would send one again does it at the next look, a second later.
    expect(told.map(({ number }) => number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 120 }, (_, n) => n + 1),
    );
    expect(new Set(told.map(({ id }) => id)).size).toBe(120);
  },
  30_000,
);
