import { createServer } from 'node:http';
import { beforeAll, beforeEach, expect } from '@jest/globals';
import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { pino } from 'pino';
import { ask } from '../tests/support/ask.ts';
import { atEnd } from '../tests/support/at-end.ts';
import { eventually } from '../tests/support/eventually.ts';
import { listen } from '../tests/support/listen.ts';
import { type RedisServer, startRedis } from '../tests/support/start-redis.ts';
import { testIf } from '../tests/support/test-if.ts';
import { openSharedLimits } from './shared-limits.ts';

const test = testIf({ programs: ['redis-server'] });

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
});

/** Gives each test its own counters. */
let tests = 0;
beforeEach(() => {
  tests += 1;
});

const limits = { few: 2, many: 100, other: 10_000 };
type Limit = keyof typeof limits;

async function startProcess(url = redis.url) {
  const logs: string[] = [];
  const shared = await openSharedLimits(url, pino({}, { write: (line: string) => void logs.push(line) }));
  atEnd(() => shared.close());
  const app = express();
  for (const [name, limit] of Object.entries(limits))
    app.use(`/${name}`, rateLimit({ windowMs: 60_000, limit, store: shared.store(`${name}-${tests}`) }));
  app.use((_req, res) => void res.sendStatus(204));
  const port = await listen(createServer(app));
  return {
    logs,
    /** Returns the state that was logged last, and expects that no state is logged twice in a row. */
    said() {
      const alone = logs.map((line) => line.includes('Redis is unreachable'));
      expect(alone.filter((each, index) => each === alone[index - 1])).toEqual([]);
      return alone.at(-1) ? 'alone' : 'together';
    },
    ask: async (limit: Limit) => (await ask(port, `/${limit}`)).status,
  };
}

type Process = Awaited<ReturnType<typeof startProcess>>;

/** Alternates between the processes until one refuses. @returns the number of accepted requests */
async function takenInTurn(processes: readonly Process[], limit: Limit): Promise<number> {
  for (let taken = 0; ; taken += 1) {
    const status = await processes[taken % processes.length]?.ask(limit);
    if (status === 429) return taken;
    expect(status).toBe(204);
  }
}

test('two processes count the requests of a visitor together, and separately for each limit', async () => {
  const processes = [await startProcess(), await startProcess()];
  const taken = await takenInTurn(processes, 'many');
  // When Redis answers too late on a busy machine, only one process counts the request.
  expect(taken).toBeGreaterThanOrEqual(100);
  expect(taken).toBeLessThan(200);
  expect(await processes[0]?.ask('other')).toBe(204);
});

test.each([
  { what: 'is not there at first', goes: () => redis.kill(), comes: () => redis.start(), atFirst: true },
  { what: 'is killed', goes: () => redis.kill(), comes: () => redis.start(), used: true },
  { what: 'hangs', goes: () => redis.freeze(), comes: () => redis.thaw(), used: true },
  { what: 'hangs when it is first needed', goes: () => redis.freeze(), comes: () => redis.thaw() },
])('while Redis $what, each process counts alone and logs this once; then they share again', async (outage) => {
  const { goes, comes, atFirst, used } = outage;
  if (atFirst) await goes();
  const processes = await Promise.all([startProcess(), startProcess()]);
  const all = <T>(work: (process: Process) => T) => Promise.all(processes.map(work));
  if (used) await all(({ ask }) => ask('many'));
  if (!atFirst) await goes();
  expect(await all((process) => takenInTurn([process], 'few'))).toEqual([2, 2]);
  expect(await all(({ ask }) => ask('many'))).toEqual([204, 204]);
  expect(await all(({ said }) => said())).toEqual(['alone', 'alone']);

  await comes();
  const together = async ({ ask, said }: Process) => [await ask('other'), said()];
  await eventually(() => all(together), Array(2).fill([204, 'together']));
  // A new Redis has neither scripts nor counters. Alone, each process would accept a hundred.
  const taken = await takenInTurn(processes, 'many');
  expect(taken).toBeGreaterThan(90);
  expect(taken).toBeLessThan(190);
});

test('the Redis password never appears in the log', async () => {
  const withPassword = (url: string) => startProcess(url.replace('redis://', 'redis://user:PasswordCanary@'));
  for (const { logs } of await Promise.all(['redis://127.0.0.1:9', redis.url].map(withPassword))) {
    expect(logs.join('')).toContain('Redis is unreachable');
    expect(logs.join('')).not.toContain('PasswordCanary');
  }
});
