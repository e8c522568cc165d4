import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { pino } from 'pino';
import { eventually } from '../testing/eventually.ts';
import { freePort } from '../testing/free-port.ts';
import { listen } from '../testing/listen.ts';
import { type RedisServer, startRedis } from '../testing/redis.ts';
import { has, testWith } from '../testing/requires.ts';
import { openSharedLimits, type SharedLimits } from './shared-limits.ts';

const test = testWith('redis-server', 'processes share their limits, and do without Redis');

let redis: RedisServer;
let lines: string[];
let logs: string[];
const open: SharedLimits[] = [];

beforeAll(async () => {
  if (has('redis-server')) redis = await startRedis();
});

beforeEach(async () => {
  lines = [];
  logs = [];
});

afterEach(() => {
  for (const limits of open.splice(0)) limits.close();
});

let names = 0;
const newLimit = () => `test-${names++}`;

async function startReplica(name: string, limit: number, url = redis.url): Promise<() => Promise<number>> {
  const write = (line: string) => {
    lines.push(line);
    logs.push(JSON.parse(line).msg);
  };
  const logger = pino({}, { write });
  const limits = await openSharedLimits(url, logger);
  const app = express();
  app.use(rateLimit({ windowMs: 60_000, limit, store: limits.store(name) }));
  app.use((_req, res) => void res.sendStatus(204));
  open.push(limits);
  const port = await listen(createServer(app));
  return async () => (await fetch(`http://127.0.0.1:${port}/`)).status;
}

async function several(count: number, ask: () => Promise<number>): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n++) statuses.push(await ask());
  return statuses;
}

const gone = 'Redis does not answer; each process counts requests for itself';
const back = 'Redis answers; requests are counted together again';

test('a visitor who goes to one process and to another is one visitor', async () => {
  const name = newLimit();
  const [one, other] = [await startReplica(name, 3), await startReplica(name, 3)];
  expect([await one(), await other(), await one(), await other(), await one()]).toEqual([204, 204, 204, 429, 429]);
  expect(logs).toEqual([]);
});

test('limits of different names know nothing of each other', async () => {
  const [one, other] = [await startReplica(newLimit(), 1), await startReplica(newLimit(), 1)];
  expect([await one(), await other(), await one(), await other()]).toEqual([204, 204, 429, 429]);
});

test('without Redis from the start, each process counts for itself and says so once; they share when it comes', async () => {
  await redis.kill();
  const name = newLimit();
  const [one, other] = [await startReplica(name, 2), await startReplica(name, 2)];
  expect([...(await several(3, one)), ...(await several(3, other))]).toEqual([204, 204, 429, 204, 204, 429]);
  await sleep(1_200);
  expect(logs).toEqual([gone, gone]);
  await redis.start();
  await eventually(() => logs.filter((line) => line === back).length === 2);
  expect([await one(), await other(), await one(), await other()]).toEqual([204, 204, 429, 429]);
});

test('the password of Redis stands in no line of the log', async () => {
  await startReplica(newLimit(), 2, `redis://user:PasswordCanary@127.0.0.1:${await freePort()}`);
  await startReplica(newLimit(), 2, redis.url.replace('redis://', 'redis://user:PasswordCanary@'));
  expect(lines).toHaveLength(2);
  expect(lines.join('')).not.toContain('PasswordCanary');
});

test('a Redis that hangs when it is first needed is used once it answers', async () => {
  const name = newLimit();
  const [one, other] = [await startReplica(name, 3), await startReplica(name, 3)];
  redis.freeze();
  expect([await one(), await other()]).toEqual([204, 204]);
  redis.thaw();
  await eventually(async () => [await one(), await other()], [429, 429]);
  expect(logs.filter((line) => line === back)).toHaveLength(2);
});

test('when Redis is killed nobody is refused, and when it is back requests are counted together again', async () => {
  const name = newLimit();
  const [one, other] = [await startReplica(name, 50), await startReplica(name, 50)];
  expect(await several(4, one)).toEqual([204, 204, 204, 204]);
  await redis.kill();
  expect(await several(4, one)).toEqual([204, 204, 204, 204]);
  expect(await several(4, other)).toEqual([204, 204, 204, 204]);
  await eventually(() => logs.filter((line) => line === gone).length >= 2);
  await redis.start();
  await eventually(() => logs.slice(-2).every((line) => line === back));
  // A new Redis has neither scripts nor counters. Each by itself would refuse none of these.
  const answers = [...(await several(30, one)), ...(await several(30, other))];
  expect(answers.slice(0, 30)).toEqual(Array(30).fill(204));
  expect(answers.filter((status) => status === 429).length).toBeGreaterThan(5);
});

test('while Redis hangs, nobody waits for longer than it may take', async () => {
  const ask = await startReplica(newLimit(), 1_000);
  await several(5, ask);
  redis.freeze();
  const timed = async () => {
    const begun = performance.now();
    return { status: await ask(), ms: performance.now() - begun };
  };
  const first = await Promise.all(Array.from({ length: 5 }, timed));
  const later: { status: number; ms: number }[] = [];
  for (let n = 0; n < 5; n++) later.push(await timed());
  redis.thaw();
  expect([...first, ...later].map(({ status }) => status)).toEqual(Array(10).fill(204));
  expect(Math.max(...later.map(({ ms }) => ms))).toBeLessThan(1_000);
  expect(logs.at(-1)).toBe(gone);
  await eventually(async () => [await ask(), logs.includes(back)], [204, true]);
});
