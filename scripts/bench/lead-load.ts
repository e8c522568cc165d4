import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { LoadResult } from './leads.ts';
import { steadily } from './steady.ts';
import { visit } from './visitor.ts';

// lead-load --port N --connections N (--seconds N [--rate N] | --count N)
//
// Sends the request form. Without a rate, each connection sends its next lead when the last one is answered;
// with one, leads leave on time even if answers are late, and a late departure counts as part of the waiting.
// Prints one LoadResult as JSON.

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    connections: { type: 'string' },
    seconds: { type: 'string', default: '3600' },
    count: { type: 'string', default: 'Infinity' },
    rate: { type: 'string' },
  },
});
const connections = Number(values.connections);
const count = Number(values.count);
const duration = Number(values.seconds) * 1000;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const run = randomBytes(6);
const statuses: Record<string, number> = {};
let sent = 0;

const { latencies, elapsed } = await (values.rate === undefined ? inLanes() : onTime(Number(values.rate)));
agent.destroy();
const result: LoadResult = { elapsed, latencies, statuses };
process.stdout.write(JSON.stringify(result));

async function inLanes(): Promise<Pick<LoadResult, 'latencies' | 'elapsed'>> {
  const latencies: number[] = [];
  const begun = performance.now();
  const lane = async () => {
    for (let since = begun; since < begun + duration && sent < count; since = performance.now()) {
      await send();
      latencies.push(performance.now() - since);
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  return { latencies, elapsed: performance.now() - begun };
}

async function onTime(rate: number): Promise<Pick<LoadResult, 'latencies' | 'elapsed'>> {
  // Otherwise the first leads that have to leave on time would wait for this process to get going.
  while (sent < 100) await send();
  const begun = performance.now();
  const stop = steadily(rate, send);
  await sleep(duration);
  return { latencies: await stop(), elapsed: performance.now() - begun };
}

async function send(): Promise<void> {
  const number = sent++;
  const { status } = await visit(Number(values.port), '/contact', {
    agent,
    // Ten leads from each visitor of this run, which is below the rate limit.
    forwarded: `10.${run[0]}.${(number / 2560) & 255}.${(number / 10) & 255}`,
    form: {
      preset: 'request',
      name: `Проверка ${number}`,
      phone: `8 916 ${String(1_000_000 + (number % 9_000_000))}`,
      message: 'Посчитайте, пожалуйста, доставку 12 коробов до Казани и хранение на две недели.',
      page: '/rates',
      key: `bench-${run.toString('hex')}-${number}`,
    },
  });
  statuses[status] = (statuses[status] ?? 0) + 1;
}
