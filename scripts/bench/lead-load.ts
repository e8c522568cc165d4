import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import type { LoadResult } from './leads.ts';

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
const port = Number(values.port);
const connections = Number(values.connections);
const count = Number(values.count);
const rate = values.rate === undefined ? undefined : Number(values.rate);
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const run = randomBytes(6);

const result: LoadResult = { elapsed: 0, latencies: [], statuses: {} };
let sent = 0;
// Otherwise the first leads that have to leave on time would wait for this process to get going.
if (rate !== undefined) while (sent < 100) await post(sent++);
const begun = performance.now();
const end = begun + Number(values.seconds) * 1000;
await Promise.all(rate === undefined ? Array.from({ length: connections }, lane) : departures(rate));
result.elapsed = performance.now() - begun;
agent.destroy();
process.stdout.write(JSON.stringify(result));

async function lane(): Promise<void> {
  while (performance.now() < end && sent < count) await send(sent++, performance.now());
}

function departures(perSecond: number): Promise<void>[] {
  const total = Math.min(count, Math.floor((perSecond * (end - begun)) / 1000));
  return Array.from({ length: total }, async (_, number) => {
    const due = begun + (number * 1000) / perSecond;
    await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
    await send(sent++, due);
  });
}

async function send(number: number, since: number): Promise<void> {
  await post(number);
  result.latencies.push(performance.now() - since);
}

function post(number: number): Promise<void> {
  const body = new URLSearchParams({
    preset: 'request',
    name: `Проверка ${number}`,
    phone: `8 916 ${String(1_000_000 + (number % 9_000_000))}`,
    message: 'Посчитайте, пожалуйста, доставку 12 коробов до Казани и хранение на две недели.',
    consent: 'yes',
    page: '/rates',
    key: `bench-${run.toString('hex')}-${number}`,
  }).toString();
  return new Promise((resolve, reject) => {
    const sending = request(
      {
        agent,
        host: '127.0.0.1',
        port,
        path: '/contact',
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': body.length,
          'sec-fetch-site': 'same-origin',
          // Ten leads from each visitor of this run, which is below the rate limit.
          'x-forwarded-for': `10.${run[0]}.${(number / 2560) & 255}.${(number / 10) & 255}`,
        },
      },
      (answer) => {
        answer.on('error', reject);
        answer.on('end', () => {
          const status = answer.statusCode ?? 0;
          result.statuses[status] = (result.statuses[status] ?? 0) + 1;
          resolve();
        });
        answer.resume();
      },
    );
    sending.on('error', reject);
    sending.end(body);
  });
}
