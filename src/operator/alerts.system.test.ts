import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest } from '@jest/globals';
import { stringify } from 'yaml';
import type { Channel } from '../leads/channels/channel.ts';
import { paths } from '../lib/paths.ts';
import { StoreError } from '../lib/store-error.ts';
import { testWith } from '../testing/requires.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { collectMetrics, type Metrics } from './metrics.ts';

const test = testWith('promtool', 'each cause fires one alert');

/** What a server tells its metrics, and what other exporters say beside it. */
type World = {
  metrics: Metrics;
  storeFails: boolean;
  oldestUntaken: string | null;
  closed: boolean;
  others: Record<string, number>;
};

const up = 'up{job="korob"}';
const site = 'probe_success{job="korob-site"}';
const backupFailed = 'node_systemd_unit_state{job="korob-machine",name="korob-backup.service",state="failed"}';
const well = { [up]: 1, [site]: 1, [backupFailed]: 0 };

const mail = { kind: 'mail', name: 'mail:boss@example.ru' } as Channel;

/** That there is a lead, which nobody takes. */
function told(world: World, outcome?: 'delivered' | 'failed'): void {
  world.oldestUntaken ??= new Date().toISOString();
  if (outcome) world.metrics.attempted(mail, outcome);
}

/** What goes wrong, the one alert that must tell of it, and what happens in each minute from then on. */
const causes: readonly [cause: string, alert: string | undefined, happens: (world: World, minute: number) => void][] = [
  ['nothing', undefined, () => {}],
  ['the server is down', 'KorobNoAnswer', ({ others }) => Object.assign(others, { [up]: 0 })],
  ['the machine is down', 'KorobNoAnswer', ({ others }) => Object.assign(others, { [up]: 0, [site]: 0 })],
  ['nginx is down', 'KorobSiteUnreachable', ({ others }) => Object.assign(others, { [site]: 0 })],
  [
    'the disk is full',
    'KorobStoreFails',
    (world) => {
      world.storeFails = true;
      world.metrics.storeFailed();
      world.metrics.outdated(true);
    },
  ],
  ['nobody calls', 'KorobLeadWaits', (world) => told(world, 'delivered')],
  ['a channel fails by day, so nobody calls', 'KorobLeadWaits', (world) => told(world, 'failed')],
  [
    'a channel fails at night, and is tried less and less often until it is given up',
    'KorobChannelFails',
    (world, minute) => {
      world.closed = true;
      told(world);
      if ([0, 1, 3, 7, 15, 31, 63].includes(minute)) world.metrics.attempted(mail, 'failed');
    },
  ],
  [
    'a channel fails with one message',
    undefined,
    ({ metrics }, minute) => metrics.attempted(mail, minute % 30 === 29 ? 'failed' : 'delivered'),
  ],
  [
    'a channel fails with the last message',
    'KorobChannelFails',
    ({ metrics }, minute) => minute === 0 && metrics.attempted(mail, 'failed'),
  ],
  ['what was published last is not what is shown', 'KorobContentWrong', ({ metrics }) => metrics.outdated(true)],
  ['the content is wrong', 'KorobContentWrong', ({ metrics }) => metrics.contentRefused(true)],
  [
    'the content is wrong, and what is shown grows old',
    'KorobContentWrong',
    ({ metrics }) => {
      metrics.outdated(true);
      metrics.contentRefused(true);
    },
  ],
  ['the backup fails', 'KorobBackupFails', ({ others }) => Object.assign(others, { [backupFailed]: 1 })],
];

/** Minutes before it goes wrong, and those at which alerts are looked at. */
const quiet = 20;
const looks = [60, 95];

/** Every series, minute by minute, as promtool reads them. */
async function seriesOf(happens: (world: World, minute: number) => void) {
  const state = {
    storeFails: false,
    oldestUntaken: null,
    closed: false,
    others: { ...well },
  } as Omit<World, 'metrics'>;
  const storeWorks = async () => {
    if (state.storeFails) throw new StoreError('the disk is full');
  };
  const metrics = collectMetrics({
    leads: {
      probe: storeWorks,
      async oldestUntaken() {
        await storeWorks();
        return state.oldestUntaken ?? undefined;
      },
    },
    deliveries: { open: async () => [] },
    hours: () => {
      const week = Array.from({ length: 7 }, (): [string, string] | null => (state.closed ? null : ['00:00', '23:59']));
      return { timeZone: 'Europe/Moscow', text: '', week, holidays: [] };
    },
  });
  const world: World = Object.assign(state, { metrics });
  const said = new Map<string, Map<number, number>>();
  for (let minute = 0; minute <= Math.max(...looks); minute++) {
    jest.setSystemTime(minute * 60_000);
    if (minute >= quiet) happens(world, minute - quiet);
    const ours = world.others[up] === 1 ? scraped(await world.metrics.text()) : [];
    for (const [series, value] of [...Object.entries(world.others), ...ours])
      said.set(series, (said.get(series) ?? new Map()).set(minute, value));
  }
  return [...said].map(([series, at]) => {
    const values = Array.from({ length: Math.max(...looks) + 1 }, (_, minute) => at.get(minute) ?? '_');
    return { series, values: values.join(' ') };
  });
}

/** What is ours in a scrape, with the label that Prometheus adds. */
function scraped(text: string): [series: string, value: number][] {
  return [...text.matchAll(/^(korob_\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name, labels, value]) => {
    return [`${name}{${['job="korob"', labels].filter(Boolean).join()}}`, Number(value)];
  });
}

beforeAll(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'] });
});
afterAll(() => {
  jest.useRealTimers();
});

test('every alert has a cause here, and a row in the page of operators', () => {
  const read = (name: string) => readFileSync(join(paths.deploy, name), 'utf8');
  const alerts = [...read('alerts.yaml').matchAll(/- alert: (\w+)/g)].map(([, alert = '']) => alert);
  expect([...new Set(causes.flatMap(([, alert]) => alert ?? []))].sort()).toEqual(alerts.toSorted());
  expect([...read('README.md').matchAll(/^\| `(Korob\w+)`/gm)].map(([, alert]) => alert)).toEqual(alerts);
});

test('each cause fires one alert', async () => {
  const folder = temporaryFolder();
  copyFileSync(join(paths.deploy, 'alerts.yaml'), join(folder, 'alerts.yaml'));
  const tests = [];
  for (const [cause, alert, happens] of causes) {
    const firing = alert === undefined ? [] : [{ labels: `{alertname="${alert}"}`, value: 1 }];
    const expr = 'group by (alertname) (ALERTS{alertstate="firing"})';
    const expected = looks.map((minute) => ({ expr, eval_time: `${minute}m`, exp_samples: firing }));
    tests.push({ name: cause, interval: '1m', input_series: await seriesOf(happens), promql_expr_test: expected });
  }
  writeFileSync(join(folder, 'causes.yaml'), stringify({ rule_files: ['alerts.yaml'], tests }));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'causes.yaml'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')]);
});
