import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import express from 'express';
import { pino } from 'pino';
import { ask } from '../tests/support/ask.ts';
import { listen } from '../tests/support/listen.ts';
import { health } from './health.ts';

test('/readyz writes to the store at most once a second, however often it is requested', async () => {
  let probes = 0;
  const probe = async () => {
    probes += 1;
  };
  const app = express().use(health({ probe }, () => false, pino({ level: 'silent' })));
  const port = await listen(createServer(app));
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(port, '/readyz')));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(probes).toBe(1);
});
