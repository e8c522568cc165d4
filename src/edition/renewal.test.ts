import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import type { Repetition } from '../repeatedly.ts';
import type { Edition } from './open.ts';
import { startRenewal } from './renewal.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const edition = (id: string, until?: number): Edition =>
  ({ id, until: until === undefined ? undefined : new Date(until) }) as Edition;

let logs: { level: number; msg: string }[];
let served: string[];
let renewal: Repetition;

beforeEach(() => {
  jest.useFakeTimers({ now });
  logs = [];
  served = [];
});

afterEach(async () => {
  await renewal.stop();
  jest.useRealTimers();
});

function start(first: Edition, remake: () => Promise<Edition>): void {
  renewal = startRenewal({
    edition: first,
    remake,
    onRenewed: ({ id }) => void served.push(id),
    logger: pino({}, { write: (line: string) => void logs.push(JSON.parse(line)) }),
  });
}

const pass = (seconds: number) => jest.advanceTimersByTimeAsync(seconds * 1000);

test('an edition is made again when its time is over, and so is the next one', async () => {
  const next = [edition('second', now + 120_000), edition('third')];
  let made = 0;
  start(edition('first', now + 60_000), async () => next[made++] as Edition);
  await pass(59);
  expect([made, served]).toEqual([0, []]);
  await pass(3);
  expect([made, served]).toEqual([1, ['second']]);
  await pass(60);
  expect([made, served]).toEqual([2, ['second', 'third']]);
  await pass(24 * 3600);
  expect(made).toBe(2);
});

test('one whose time was over before the start is made again at once', async () => {
  start(edition('first', now - 1), async () => edition('second'));
  await pass(0);
  expect(served).toEqual(['second']);
});

test('while one is being made, no other is begun', async () => {
  let begun = 0;
  const slow = Promise.withResolvers<Edition>();
  start(edition('first', now), () => {
    begun += 1;
    return slow.promise;
  });
  await pass(60);
  expect(begun).toBe(1);
  slow.resolve(edition('second'));
  await pass(2);
  expect([begun, served]).toEqual([1, ['second']]);
});

test('one that cannot be made leaves the present one, is told of, and is tried again a minute later', async () => {
  let tries = 0;
  start(edition('first', now), async () => {
    tries += 1;
    if (tries === 1) throw new Error('cases/a.md:3: no title');
    return edition('second');
  });
  await pass(55);
  expect([tries, served]).toEqual([1, []]);
  expect(logs).toEqual([
    expect.objectContaining({ level: 50, err: expect.objectContaining({ message: 'cases/a.md:3: no title' }) }),
  ]);
  await pass(10);
  expect([tries, served]).toEqual([2, ['second']]);
});
