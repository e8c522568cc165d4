import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { type Repetition, repeatedly } from './repeatedly.ts';

const intervalMs = 1_000;
/** The start of each run, in milliseconds since the first. */
let begun: number[];
let began: number;
let repetition: Repetition;
let logged: string[];
const logger = pino({ base: null, timestamp: false }, { write: (line) => void logged.push(line) });

beforeEach(() => {
  jest.useFakeTimers();
  began = Date.now();
  begun = [];
  logged = [];
});

afterEach(() => {
  jest.useRealTimers();
});

function start(durationMs: number): void {
  repetition = repeatedly(
    () => {
      begun.push(Date.now() - began);
      return new Promise((resolve) => setTimeout(resolve, durationMs));
    },
    { intervalMs, logger },
  );
}

test('runs the work immediately and then at every interval', async () => {
  start(10);
  await jest.advanceTimersByTimeAsync(2_500);
  expect(begun).toEqual([0, 1_000, 2_000]);
});

test('never runs the work twice at the same time', async () => {
  start(1_500);
  await jest.advanceTimersByTimeAsync(4_500);
  expect(begun).toEqual([0, 2_000, 4_000]);
});

test('runs the work immediately when a run is requested between two runs', async () => {
  start(10);
  await jest.advanceTimersByTimeAsync(500);
  repetition.again();
  await jest.advanceTimersByTimeAsync(1_000);
  expect(begun).toEqual([0, 500, 1_000]);
});

test('waits for the current run on stop, and starts no other', async () => {
  start(1_300);
  repetition.again();
  let stopped = false;
  const stopping = repetition.stop().then(() => {
    stopped = true;
  });
  await jest.advanceTimersByTimeAsync(1_200);
  expect(stopped).toBe(false);
  await jest.advanceTimersByTimeAsync(5_000);
  await stopping;
  expect(begun).toEqual([0]);
});

test('repeats work that throws or rejects, and logs the first failure and the end of all failures', async () => {
  const runs = [
    () => {
      throw new Error('thrown');
    },
    () => Promise.reject(new Error('rejected')),
  ];
  let run = 0;
  repetition = repeatedly(() => runs[run++]?.() ?? Promise.resolve(), { intervalMs, logger });
  await jest.advanceTimersByTimeAsync(3_500);
  await repetition.stop();
  expect([run, logged]).toEqual([
    4,
    [expect.stringMatching(/"level":50.*"message":"thrown"/), expect.stringContaining('"level":30')],
  ]);
});
