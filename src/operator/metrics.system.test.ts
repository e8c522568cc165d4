import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { Channel } from '../leads/channels/channel.ts';
import type { Deliveries } from '../leads/store/deliveries.ts';
import { StoreError } from '../lib/store-error.ts';
import { browserHeaders } from '../testing/ask.ts';
import { fakeLeads } from '../testing/fake-leads.ts';
import { freePort } from '../testing/free-port.ts';
import { startServerProcess } from '../testing/server-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { collectMetrics, type Metrics, startMetrics } from './metrics.ts';

const idle = { leads: fakeLeads(), deliveries: { open: async () => [] } };
type DeliveryCount = Awaited<ReturnType<Deliveries['open']>>[number];
type Hours = ReturnType<Parameters<typeof collectMetrics>[0]['hours']>;
const week: Hours['week'] = Array.from({ length: 7 }, () => ['00:00', '23:59']);
const always = (): Hours => ({ timeZone: 'Europe/Moscow', text: '', week, holidays: [] });
const never = (): Hours => ({ ...always(), week: week.map(() => null) });

function metricsOf(about: Partial<Parameters<typeof collectMetrics>[0]> = {}): Metrics {
  return collectMetrics({ ...idle, hours: always, ...about });
}

/** The value of one series, written as Prometheus does; `undefined` if there is none. */
async function read(metrics: Metrics, series: string): Promise<number | undefined> {
  const line = (await metrics.text()).split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}

describe('leads', () => {
  test('wait without being overdue while the company is closed', async () => {
    const oldestUntaken = async () => new Date(Date.now() - 15 * 60_000).toISOString();
    const closed = metricsOf({ leads: fakeLeads({ oldestUntaken }), hours: never });
    expect(await read(closed, 'korob_oldest_untaken_lead_overdue_seconds')).toBe(0);
  });

  test('that should have been called by now are overdue since then', async () => {
    // Three days, so that the minute before midnight is no matter.
    const oldestUntaken = async () => new Date(Date.now() - 3 * 86_400_000).toISOString();
    const metrics = metricsOf({ leads: fakeLeads({ oldestUntaken }) });
    const overdue = (await read(metrics, 'korob_oldest_untaken_lead_overdue_seconds')) ?? 0;
    expect(Math.abs(overdue - (3 * 86_400 - 600))).toBeLessThan(180);
  });

  test('that nobody has to be called for are 0', async () => {
    const metrics = metricsOf();
    expect(await read(metrics, 'korob_oldest_untaken_lead_overdue_seconds')).toBe(0);
  });
});

test('deliveries are counted by the kind of channel, never by its address', async () => {
  const deliveries: DeliveryCount[] = [
    { channel: 'mail:ivanova@example.ru', state: 'waiting', count: 2 },
    { channel: 'mail:petrov@example.ru', state: 'waiting', count: 3 },
    { channel: 'webhook', state: 'dead', count: 1 },
  ];
  const metrics = metricsOf({ deliveries: { open: async () => deliveries } });
  metrics.attempted({ kind: 'mail', name: 'mail:ivanova@example.ru' } as Channel, 'failed');
  metrics.attempted({ kind: 'mail', name: 'mail:petrov@example.ru' } as Channel, 'delivered');
  expect(await read(metrics, 'korob_deliveries{channel="mail",state="waiting"}')).toBe(5);
  expect(await read(metrics, 'korob_deliveries{channel="webhook",state="dead"}')).toBe(1);
  expect(await metrics.text()).not.toMatch(/ivanova|petrov/);
  const last = (channel: string, outcome: string) =>
    read(metrics, `korob_last_attempt_timestamp_seconds{channel="${channel}",outcome="${outcome}"}`);
  for (const outcome of ['delivered', 'failed']) {
    expect(Math.abs(((await last('mail', outcome)) ?? 0) - Date.now() / 1000)).toBeLessThan(60);
    expect(await last('webhook', outcome)).toBe(0);
  }
});

describe('the store', () => {
  test('has its failures counted, and is not ready with them', async () => {
    const disk = async () => {
      throw new StoreError('the disk is full');
    };
    const metrics = metricsOf({ leads: fakeLeads({ probe: disk, oldestUntaken: disk }) });
    expect(await read(metrics, 'korob_store_errors_total')).toBe(0);
    metrics.storeFailed();
    expect(await read(metrics, 'korob_store_errors_total')).toBe(1);
    expect(await read(metrics, 'korob_ready')).toBe(0);
  });

  test('that can store makes the server ready', async () => {
    expect(await read(metricsOf(), 'korob_ready')).toBe(1);
  });
});

test('what became of the content, and the process are there, too', async () => {
  const metrics = metricsOf();
  const content = async () => [
    await read(metrics, 'korob_content_refused'),
    await read(metrics, 'korob_content_outdated'),
  ];
  expect(await content()).toEqual([0, 0]);
  metrics.contentRefused(true);
  metrics.outdated(true);
  expect(await content()).toEqual([1, 1]);
  metrics.contentRefused(false);
  metrics.outdated(false);
  expect(await content()).toEqual([0, 0]);
  expect(await read(metrics, 'process_start_time_seconds')).toBeGreaterThan(1e9);
});

describe('the port', () => {
  test('answers GET /metrics and nothing else', async () => {
    const port = await freePort();
    const sources = { ...idle, hours: always };
    const metrics = await startMetrics({ port, host: '127.0.0.1' }, sources);
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    expect(await answer.text()).toContain('# TYPE korob_ready gauge');
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(404);
    await metrics.stop();
    await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow();
  });

  test('that is taken stops the start', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const sources = { ...idle, hours: always };
    await expect(startMetrics({ port, host: '127.0.0.1' }, sources)).rejects.toThrow('EADDRINUSE');
    await new Promise((resolve) => other.close(resolve));
    // One that takes the place of another has the same port for a moment.
    for (const metrics of [
      await startMetrics({ port, host: '127.0.0.1' }, sources),
      await startMetrics({ port, host: '127.0.0.1' }, sources),
    ])
      await metrics.stop();
  });
});

test('alerts are about metrics that a server has, and it has none where none are wanted', async () => {
  const port = await freePort();
  const server = await startServerProcess({ METRICS_PORT: String(port), DATA_DIR: temporaryFolder() });
  const quiet = await startServerProcess({ DATA_DIR: temporaryFolder() });
  try {
    await fetch(server.url, { headers: browserHeaders });
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const known = new Set(
      [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) => [
        name,
        ...(type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : []),
      ]),
    );
    const labels = new Set([...text.matchAll(/[{,](\w+)="/g)].map(([, label]) => label));
    const file = readFileSync(join(import.meta.dirname, '../../scripts/deploy/alerts.yaml'), 'utf8');
    const { groups } = parse(file) as { groups: { rules: { alert: string; expr: string; annotations: object }[] }[] };
    const rules = groups.flatMap(({ rules }) => rules);
    expect(rules.map(({ alert }) => alert)).toEqual(expect.arrayContaining(['KorobLeadWaits', 'KorobChannelFails']));
    const used = rules.flatMap(({ expr }) => expr.match(/\b(?:korob|process|nodejs)_\w+/g) ?? []);
    expect(used.length).toBeGreaterThan(6);
    for (const name of used) expect([...known]).toContain(name);
    const asked = rules.flatMap(({ expr }) => expr.match(/korob_\w+\{[^}]*/g) ?? []).join();
    for (const [, label] of asked.matchAll(/(\w+)="/g)) {
      expect(['job', ...labels]).toContain(label);
    }
    expect(quiet.output()).not.toContain('metrics');
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
  } finally {
    for (const { child, exited } of [server, quiet]) {
      child.kill('SIGTERM');
      expect(await exited).toBe(0);
    }
  }
});
