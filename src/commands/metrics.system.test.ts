import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { stringify } from 'yaml';
import type { OpenDeliveries } from '../leads/store/deliveries.ts';
import { StoreError } from '../leads/store/sql.ts';
import { paths } from '../lib/paths.ts';
import type { Span } from '../model/working-hours.ts';
import { type Ask, asForm, ask as askAt } from '../tests/support/ask.ts';
import { atMoment } from '../tests/support/at-moment.ts';
import { eventually } from '../tests/support/eventually.ts';
import { freePort } from '../tests/support/free-port.ts';
import { listen } from '../tests/support/listen.ts';
import { startServerProcess } from '../tests/support/server-process.ts';
import { temporaryFolder } from '../tests/support/temporary-folder.ts';
import { testIf } from '../tests/support/test-if.ts';
import { filledForm } from '../tests/support/test-site.ts';
import { addSources, createMetrics, type Metrics, type MetricsSources, serveMetrics } from './metrics.ts';

const shippedTest = testIf({ shipped: true });

const boss = 'mail:boss@example.ru';
const sales = 'mail:sales@example.ru';
const none: OpenDeliveries = { channel: boss, waiting: 0, waitingSince: null, error: null, givenUp: 0 };

/** A test may change it while its metrics are collected. */
type World = {
  storeFails: boolean;
  oldestUntaken: string | undefined;
  closed: boolean;
  publicationFailed: boolean;
  uncopiedSince: Date;
  lastCanaryAt: Date | undefined;
  freeBytes: number;
  open: OpenDeliveries[];
};

function worldOf(about: Partial<World> = {}): { world: World; sources: MetricsSources } & ReturnType<typeof collected> {
  const world = {
    storeFails: false,
    oldestUntaken: undefined,
    closed: false,
    publicationFailed: false,
    uncopiedSince: new Date(),
    lastCanaryAt: undefined,
    freeBytes: 50e9,
    open: [],
    ...about,
  };
  const probe = async () => {
    if (world.storeFails) throw new StoreError('the disk is full');
  };
  const sources: MetricsSources = {
    leads: { probe, oldestUntaken: () => probe().then(() => world.oldestUntaken) },
    deliveries: { open: async () => world.open },
    channels: [boss, sales],
    hours: () => {
      const week = Array.from({ length: 7 }, (): Span[] => (world.closed ? [] : [['00:00', '23:59']]));
      return { timeZone: 'Europe/Moscow', text: '', callWithin: 10, week, holidays: [] };
    },
    publicationFailed: () => world.publicationFailed,
    uncopiedSince: () => world.uncopiedSince,
    lastCanaryAt: () => world.lastCanaryAt,
    freeBytes: () => world.freeBytes,
  };
  return { world, sources, ...collected(sources) };
}

function collected(sources: MetricsSources): { metrics: Metrics; read(): Promise<string> } {
  const metrics = createMetrics();
  addSources(metrics, sources);
  return { metrics, read: () => metrics.register.metrics() };
}

test('each channel has the number of its deliveries and the age of the oldest, also if it is no longer configured', async () => {
  const waits = { waiting: 2, waitingSince: '2026-11-20T08:58:30Z', error: 'no', givenUp: 3 };
  const { read } = worldOf({
    open: [
      { ...none, ...waits },
      { ...none, channel: 'telegram', waiting: 1 },
    ],
  });
  const text = await atMoment(Date.parse('2026-11-20T09:00:00Z'), read);
  const series = [...text.matchAll(/^korob_(?:deliveries|oldest)\w*\{channel="([^"]+)"(?:,state="(\w+)")?\} (\d+)$/gm)];
  expect(series.map(([, ...one]) => one.filter(Boolean).join(' ')).toSorted()).toEqual(
    [
      ...[`${boss} waiting 2`, `${boss} dead 3`, `${boss} 90`],
      ...[`${sales} waiting 0`, `${sales} dead 0`, `${sales} 0`],
      ...['telegram waiting 1', 'telegram dead 0', 'telegram 0'],
    ].toSorted(),
  );
});

test('the age of an overdue lead, the last backup and the last check of the form are in seconds', async () => {
  const about = {
    oldestUntaken: '2026-11-17T09:00:00Z',
    uncopiedSince: new Date(5_000),
    lastCanaryAt: new Date(6_000),
  };
  const { sources, read } = worldOf(about);
  const text = await atMoment(Date.parse('2026-11-20T09:00:00Z'), read);
  // Staff have ten minutes to call.
  expect(text).toContain(`\nkorob_oldest_untaken_lead_overdue_seconds ${3 * 86_400 - 600}\n`);
  expect(text).toContain('\nkorob_last_backup_timestamp_seconds 5\n');
  expect(text).toContain('\nkorob_last_canary_timestamp_seconds 6\n');
  expect(await collected({ ...sources, uncopiedSince: undefined }).read()).not.toContain('backup');
});

test('a failing store sets korob_ready to 0 until it works again', async () => {
  const { world, read } = worldOf();
  for (const fails of [true, false]) {
    world.storeFails = fails;
    expect(await read()).toContain(`\nkorob_ready ${fails ? 0 : 1}\n`);
  }
});

describe('the metrics port', () => {
  const host = '127.0.0.1';

  test('answers only GET /metrics, as soon as another process has released the port', async () => {
    const logs: string[] = [];
    const logger = pino({ base: null, timestamp: false }, { write: (line) => void logs.push(line) });
    const other = createServer();
    const port = await listen(other);
    const stop = serveMetrics({ port, host }, createMetrics(), logger);
    await eventually(() => logs.length, 1, 'the log says that the port is taken');
    expect(logs[0]).toContain(`METRICS_PORT: ${port} is taken by another process`);
    other.close();
    const ask = (path: string, method = 'GET') => fetch(`http://${host}:${port}${path}`, { method });
    await eventually(() => logs.length, 2, 'the log says that the port is free');
    const answer = await ask('/metrics');
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(await answer.text()).toMatch(/^process_start_time_seconds \d/m);
    expect([(await ask('/')).status, (await ask('/metrics', 'POST')).status]).toEqual([404, 404]);
    await stop();
    await expect(ask('/metrics')).rejects.toThrow();
  });
});

shippedTest('a server counts its answers and leads, and names no address and no word of a visitor', async () => {
  const metricsPort = await freePort();
  const { port } = await startServerProcess({ METRICS_PORT: String(metricsPort) });
  const ask = (path: string, options?: Ask) => askAt(port, path, options);
  const found = async (path: string, pattern: RegExp) => pattern.exec((await ask(path)).text)?.[1] ?? '';
  const form = { ...filledForm, key: 'secret-key' };
  const spam = { website: 'secret', message: 'Казино, продвижение сайтов: https://secret.example' };
  const etag = { 'if-none-match': (await ask('/')).headers.etag };
  const requests: [path: string, options?: Ask][] = [
    ['/', { headers: etag }],
    ['/?utm_source=secret', { method: 'HEAD' }],
    ['/services/package/_payload.json'],
    ['/search?q=secret'],
    ['/healthz'],
    [await found('/', /property="og:image" content="https?:\/\/[^/]+([^"]+)"/)],
    [await found('/blog/video-news/kak-my-merim-korob', /"(\/videos\/[^"]+\.mp4)"/)],
    ['/secret', { headers: { accept: 'application/json' } }],
    ['/secret/secret'],
    ['/contact', asForm(form, {})],
    ['/contact', asForm(form, {})],
    ['/contact', asForm({ ...filledForm, ...spam }, {})],
    ['/contact', asForm({ ...form, phone: 'secret' }, {})],
    ['/contact/secret'],
    ['/contact', { method: 'POST', headers: { 'transfer-encoding': 'chunked' } }],
  ];
  for (const [path, options] of requests) await ask(path, options);
  const scrape = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const pattern = /^korob_(?:leads_total\{outcome|http_requests_total\{route)="(.+?)"(?:,status="(\d+)")?\} (\d+)$/gm;
  await eventually(
    async () => [...(await scrape()).matchAll(pattern)].map(([, ...series]) => series.filter(Boolean).join(' ')).sort(),
    [
      ...['waiting 1', 'quarantined 1'],
      ...['/ 200 3', '/ 304 1', '/blog/:category/:id 200 1', '/search 200 1', 'payload 200 1', '/healthz 200 1'],
      ...['picture 200 1', 'video 200 1', 'unmatched 404 2', 'unmatched 411 1'],
      ...['/contact 303 3', '/contact 422 1', '/contact/:receipt 404 1'],
    ].sort(),
  );
  expect(await scrape()).not.toContain('secret');
  expect(await scrape()).toMatch(/^korob_disk_free_bytes [1-9]/m);
});

describe('alerts', () => {
  const up = 'up{job="korob"}';
  const site = 'probe_success{job="korob-site"}';
  const started = 'process_start_time_seconds{job="korob"}';
  const certificate = 'probe_ssl_earliest_cert_expiry{job="korob-site"}';
  const canaryFailed = 'node_systemd_unit_state{job="korob-machine",name="korob-canary.service",state="failed"}';
  const backupFailed = 'node_systemd_unit_state{job="korob-machine",name="korob-backup.service",state="failed"}';

  /** The metrics of a server, and series from other exporters. */
  type Told = World & { metrics: Metrics; others: Record<string, number> };

  const untaken = (told: Told) => {
    told.oldestUntaken ??= new Date().toISOString();
  };

  /** A mailbox gets nothing, while another works. */
  const fails = (told: Told) => {
    const waitingSince = told.open[0]?.waitingSince ?? new Date().toISOString();
    told.open = [{ ...none, waiting: 1, waitingSince }];
  };

  /** Series begin at the epoch. */
  const fourHoursAgo = new Date(-4 * 3_600_000);
  const twoNightsAgo = new Date(-2 * 86_400_000);

  /** A failure, the only alert that it must fire, and what happens in each minute from then on. */
  const causes: readonly [cause: string, alert: string | undefined, happens: (told: Told, minute: number) => void][] = [
    ['nothing', undefined, () => {}],
    ['the machine is down', 'KorobNoAnswer', ({ others }) => Object.assign(others, { [up]: 0, [site]: 0 })],
    [
      'the server ends every few minutes, and is started again',
      'KorobRestarts',
      ({ others }, minute) => {
        Object.assign(others, { [up]: minute % 4 === 3 ? 0 : 1, [started]: minute - (minute % 4), [canaryFailed]: 1 });
      },
    ],
    ['nginx is down', 'KorobSiteUnreachable', ({ others }) => Object.assign(others, { [site]: 0 })],
    [
      'the disk is full',
      'KorobStoreFails',
      (told) => {
        told.storeFails = true;
        told.freeBytes = 0;
        told.metrics.storeFailed();
        told.metrics.outdated(true);
        told.metrics.requested('/contact', 503);
        Object.assign(told.others, { [canaryFailed]: 1 });
        told.lastCanaryAt = fourHoursAgo;
      },
    ],
    ['a page fails', 'KorobRequestsFail', ({ metrics }) => metrics.requested('/rates', 500)],
    ['leads are not received', 'KorobRequestsFail', ({ metrics }) => metrics.requested('/contact', 503)],
    [
      'the form fails, and the checks are repeated',
      'KorobCanaryFails',
      (told, minute) => {
        told.metrics.requested('/contact', 503);
        // While a check runs, and alerts are evaluated.
        told.others[canaryFailed] = Math.abs(minute - 40) < 3 ? 0 : 1;
        told.lastCanaryAt = fourHoursAgo;
      },
    ],
    [
      'no check of the form runs',
      'KorobCanaryOld',
      (told) => {
        told.lastCanaryAt = fourHoursAgo;
      },
    ],
    [
      'a channel fails by day, so staff do not call',
      'KorobLeadWaits',
      (told) => {
        untaken(told);
        fails(told);
      },
    ],
    [
      'a channel fails at night',
      'KorobChannelFails',
      (told) => {
        told.closed = true;
        untaken(told);
        fails(told);
      },
    ],
    [
      'a channel fails for some minutes, again and again',
      undefined,
      (told, minute) => {
        if (minute % 15 < 9) fails(told);
        else told.open = [];
      },
    ],
    [
      'messages are given up',
      'KorobDeliveriesGivenUp',
      (told) => {
        told.open = [{ ...none, givenUp: 2 }];
      },
    ],
    ['the latest publication is not shown', 'KorobContentWrong', ({ metrics }) => metrics.outdated(true)],
    [
      'the disk has little space',
      'KorobDiskFills',
      (told) => {
        told.freeBytes = 0.9e9;
      },
    ],
    ['the backup fails', 'KorobBackupFails', ({ others }) => Object.assign(others, { [backupFailed]: 1 })],
    [
      'no backup runs',
      'KorobBackupOld',
      (told) => {
        told.uncopiedSince = twoNightsAgo;
      },
    ],
    [
      'the certificate is not renewed',
      'KorobCertificateExpires',
      ({ others }) => Object.assign(others, { [certificate]: 20 * 86_400 }),
    ],
  ];

  /** Minutes before the failure begins, and the minutes at which alerts are evaluated. */
  const quiet = 20;
  const looks = [60, 95];
  const minutes = Array.from({ length: Math.max(...looks) + 1 }, (_, minute) => minute);

  /** Every series, minute by minute, as promtool reads them. */
  async function seriesOf(happens: (told: Told, minute: number) => void) {
    const { world, metrics, read } = worldOf();
    const told: Told = Object.assign(world, {
      metrics,
      others: { [up]: 1, [started]: 0, [site]: 1, [canaryFailed]: 0, [backupFailed]: 0, [certificate]: 60 * 86_400 },
    });
    const said = new Map<string, Map<number, number>>();
    for (const minute of minutes) {
      jest.setSystemTime(minute * 60_000);
      if (minute >= quiet) happens(told, minute - quiet);
      const ours = told.others[up] === 1 ? scraped(await read()) : [];
      for (const [series, value] of [...Object.entries(told.others), ...ours])
        said.set(series, (said.get(series) ?? new Map()).set(minute, value));
    }
    return [...said].map(([series, at]) => ({
      series,
      values: minutes.map((minute) => at.get(minute) ?? '_').join(' '),
    }));
  }

  /** The series of this site in a scrape, with the label that Prometheus adds. */
  function scraped(text: string): [series: string, value: number][] {
    return [...text.matchAll(/^(korob_\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name, labels, value]) => {
      return [`${name}{${['job="korob"', labels].filter(Boolean).join()}}`, Number(value)];
    });
  }

  test("each have a cause in this test and a row in the operators' page", () => {
    const deployed = (name: string) => readFileSync(join(paths.deploy, name), 'utf8');
    const alerts = [...deployed('alerts.yaml').matchAll(/- alert: (\w+)/g)].map(([, alert = '']) => alert);
    expect([...new Set(causes.flatMap(([, alert]) => alert ?? []))].sort()).toEqual(alerts.toSorted());
    expect([...deployed('README.md').matchAll(/^\| `(Korob\w+)`/gm)].map(([, alert]) => alert)).toEqual(alerts);
  });

  testIf({ programs: ['promtool'] })('fire one at a time, each for its own cause', async () => {
    const folder = temporaryFolder();
    copyFileSync(join(paths.deploy, 'alerts.yaml'), join(folder, 'alerts.yaml'));
    const tests: object[] = [];
    await atMoment(0, async () => {
      for (const [name, alert, happens] of causes) {
        const channel = alert?.match(/Channel|Deliveries/) ? `, channel="${boss}"` : '';
        const firing = alert === undefined ? [] : [{ labels: `{alertname="${alert}"${channel}}`, value: 1 }];
        const expr = 'group by (alertname, channel) (ALERTS{alertstate="firing"})';
        const expected = looks.map((minute) => ({ expr, eval_time: `${minute}m`, exp_samples: firing }));
        tests.push({ name, interval: '1m', input_series: await seriesOf(happens), promql_expr_test: expected });
      }
    });
    writeFileSync(join(folder, 'causes.yaml'), stringify({ rule_files: ['alerts.yaml'], tests }));
    const program = ['test', 'rules', 'causes.yaml'];
    const { status, stdout, stderr } = spawnSync('promtool', program, { cwd: folder, encoding: 'utf8' });
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });
});
