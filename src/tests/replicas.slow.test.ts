import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect } from '@jest/globals';
import { openPostgres } from '../leads/store/postgres.ts';
import { missingFrom, question, startWebhook, storedIn } from './faults/testing.ts';
import { asForm, ask, type HttpAnswer } from './support/ask.ts';
import { atEnd } from './support/at-end.ts';
import { eventually } from './support/eventually.ts';
import { freePort } from './support/free-port.ts';
import { startServerProcess } from './support/server-process.ts';
import { startNginx } from './support/start-nginx.ts';
import { type PostgresServer, startPostgres } from './support/start-postgres.ts';
import { startRedis } from './support/start-redis.ts';
import { startTcpProxy } from './support/tcp-proxy.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { testIf } from './support/test-if.ts';

const test = testIf({ programs: ['nginx', 'postgres', 'redis-server'] });

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});

const width = 4;
const pages = ['/', '/contact', '/rates?utm_source=a', '/favicon.svg', '/video-broadcast'];

/** Starts visitors who read and write until they are stopped. */
function startLoad(port: number) {
  const failed: { began: number; answer: HttpAnswer | undefined }[] = [];
  const acknowledged = new Map<string, string>();
  let going = true;
  async function visit(name: number): Promise<void> {
    for (let count = 0; going; count++) {
      const message = `${name}-${count}`;
      // All of 127.0.0.0/8 is loopback.
      const from = `127.1.${name}.${1 + (count % 250)}`;
      const began = performance.now();
      const asked = [
        ask(port, '/contact', { ...asForm(question(message), {}), from }),
        ask(port, pages[count % 5] ?? '/'),
      ];
      const [answer, page] = await Promise.all(asked.map((one) => one.catch(() => undefined)));
      if (answer?.status === 303) acknowledged.set(answer.headers.location ?? '', message);
      else failed.push({ began, answer });
      if (page?.status !== 200) failed.push({ began, answer: page });
      await sleep(20);
    }
  }
  const visits = Promise.all(Array.from({ length: width }, (_, name) => visit(name)));
  return {
    failed,
    acknowledged,
    async more(count: number): Promise<void> {
      const wanted = acknowledged.size + count;
      await eventually(() => acknowledged.size >= wanted, true, 'more requests');
    },
    async stop(): Promise<void> {
      going = false;
      await visits;
    },
  };
}

test('processes replace each other repeatedly without a failed request', async () => {
  const ports = [await freePort(), await freePort()];
  const nginx = await startNginx(ports[0] ?? 0, ports[1]);
  const { env, events } = await startWebhook();
  const shared = { DATA_DIR: temporaryFolder(), TRUST_PROXY: '1', ...env };
  const start = (count: number) => startServerProcess({ ...shared, PORT: String(ports[count % 2]) });
  let server = await start(0);
  const load = startLoad(nginx.port);
  for (const count of [1, 2]) {
    await load.more(20);
    const next = await start(count);
    server.child.kill('SIGTERM');
    expect(await server.exited).toBe(0);
    server = next;
  }
  await load.more(20);
  await load.stop();
  expect(load.failed).toEqual([]);
  const { integrity, leads } = storedIn(shared.DATA_DIR);
  const missing = missingFrom({ leads }, load.acknowledged);
  expect([integrity, leads.size, missing]).toEqual(['ok', load.acknowledged.size, []]);
  await eventually(() => new Set(events.map(({ data }) => data.number)).size, leads.size, 'deliveries');
  expect(new Set(events.map(({ id }) => id)).size).toBe(leads.size);
});

test('no lead is lost or notified under two ids when Redis and one of three replicas are killed under load', async () => {
  const redis = await startRedis();
  const url = await postgres.newDatabase();
  const { env, events } = await startWebhook((res) => void setTimeout(() => res.writeHead(204).end(), 60));
  // Replicas share a folder, as in compose.yaml.
  const shared = { DATABASE_URL: url, REDIS_URL: redis.url, DATA_DIR: temporaryFolder(), TRUST_PROXY: '1', ...env };
  const [doomed, ...others] = await Promise.all([1, 2, 3].map(() => startServerProcess(shared)));
  if (!doomed) throw new Error('There are no replicas.');
  const nginx = await startNginx([doomed, ...others].map(({ port }) => port));
  const { query, close } = await openPostgres(url);
  atEnd(close);

  const load = startLoad(nginx.port);
  await load.more(40);
  await redis.kill();
  await load.more(40);
  expect(load.failed).toEqual([]);
  doomed.child.kill('SIGKILL');
  await doomed.exited;
  const ended = performance.now();
  await load.more(60);
  await load.stop();
  expect(load.failed.filter(({ began }) => began > ended)).toEqual([]);
  expect(load.failed.length).toBeLessThanOrEqual(2 * width);

  const rows = await query<{ number: number; receipt: string }>('SELECT number, receipt FROM lead');
  const receipts = new Set(rows.map(({ receipt }) => `/contact/${receipt}`));
  expect([...load.acknowledged.keys()].filter((receipt) => !receipts.has(receipt))).toEqual([]);
  // Deliveries that the killed replica had claimed wait until the claim expires.
  const waiting = async () => {
    await query('UPDATE delivery SET due_at = now() WHERE delivered_at IS NULL');
    return query('SELECT id FROM delivery WHERE delivered_at IS NULL');
  };
  await eventually(waiting, [], 'every delivery');
  expect(new Set(events.map(({ data }) => data.number))).toEqual(new Set(rows.map(({ number }) => number)));
  expect(new Set(events.map(({ id }) => id)).size).toBe(rows.length);
});

test('a process ends on SIGTERM although its database hangs', async () => {
  const proxy = await startTcpProxy(postgres.port);
  const url = (await postgres.newDatabase()).replace(/:\d+\//, `:${proxy.port}/`);
  const { env } = await startWebhook();
  const server = await startServerProcess({ DATABASE_URL: url, ...env });
  const post = (message: string) => ask(server.port, '/contact', asForm(question(message), {}));
  expect((await post('Вопрос')).status).toBe(303);
  proxy.freeze();
  const waiting = post('Ещё вопрос');
  server.child.kill('SIGTERM');
  expect((await waiting).status).toBe(503);
  expect(await server.exited).toBe(0);
});
