import { createServer } from 'node:http';
import { afterEach, expect, jest, test } from '@jest/globals';
import express from 'express';
import { pino } from 'pino';
import { ask } from '../tests/support/ask.ts';
import { listen } from '../tests/support/listen.ts';
import { health } from './health.ts';

const logs: string[] = [];
const logger = pino({}, { write: (line: string) => void logs.push(JSON.parse(line).msg) });
let probes = 0;
let works = true;
const probe = async () => {
  probes += 1;
  if (!works) throw new Error('the disk is full');
};
const port = await listen(createServer(express().use(health({ probe }, () => false, logger))));
const ready = async () => (await ask(port, '/readyz')).status;

afterEach(() => {
  jest.restoreAllMocks();
});

test('/readyz writes to the store at most once a second, however often it is requested', async () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(50_000);
  const answers = await Promise.all(Array.from({ length: 20 }, ready));
  expect([answers, probes]).toEqual([Array(20).fill(200), 1]);
  now.mockReturnValue(51_000);
  expect([await ready(), probes]).toEqual([200, 1]);
  now.mockReturnValue(51_001);
  expect([await ready(), probes]).toEqual([200, 2]);
});

test('/readyz fails while leads cannot be stored, and logs the beginning and the end of each such time', async () => {
  let at = 100_000;
  jest.spyOn(performance, 'now').mockImplementation(() => at);
  const answers = [];
  for (const is of [false, false, true, true, false]) {
    works = is;
    at += 2_000;
    answers.push(await ready());
  }
  expect(answers).toEqual([503, 503, 200, 200, 503]);
  const [failed, again] = ['not ready: leads cannot be stored', 'ready again: leads can be stored'];
  expect(logs).toEqual([failed, again, failed]);
});
