import { once } from 'node:events';
import { createServer } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Channel } from '../leads/channels/channel.ts';
import { channelKinds } from '../leads/channels/configured.ts';
import type { Deliveries } from '../leads/store/deliveries.ts';
import type { Leads } from '../leads/store/leads.ts';
import { listening } from '../lib/listening.ts';
import type { Company } from '../model/content.ts';
import { afterWorkingMinutes, callsFrom, callWithinMinutes } from '../model/working-hours.ts';

/** For Prometheus. No label holds anything that a visitor sent. */
export type Metrics = {
  storeFailed(): void;
  /** Keeps the time of the last delivery and of the last failure. */
  attempted(channel: Channel, outcome: (typeof outcomes)[number]): void;
  /** Whether a newer site should be served by now. */
  outdated(is: boolean): void;
  /** In the format of Prometheus. */
  text(): Promise<string>;
};

const outcomes = ['delivered', 'failed'] as const;

export type MetricsSources = {
  leads: Pick<Leads, 'probe' | 'oldestUntaken'>;
  deliveries: Pick<Deliveries, 'open'>;
  hours: () => Company['workingHours'];
  /** Whether the last attempt to publish failed. */
  refused: () => boolean;
  /** When the database was last copied, or made if it never was; `undefined` if "backup" does not copy it. */
  uncopiedSince: (() => Date) | undefined;
};

export function collectMetrics({
  leads,
  deliveries,
  hours,
  refused: isRefused,
  uncopiedSince,
}: MetricsSources): Metrics {
  const register = new Registry();
  const registers = [register];
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const ready = gauge('korob_ready', '1 while leads can be stored.');
  const overdue = gauge(
    'korob_oldest_untaken_lead_overdue_seconds',
    'Seconds by which the call for the oldest untaken lead is late, in working hours; 0 if no call is due.',
  );
  const messages = gauge('korob_deliveries', 'Deliveries that wait, or were given up.', ['channel', 'state']);
  const attemptedAt = gauge(
    'korob_last_attempt_timestamp_seconds',
    'Time of the last delivery that succeeded, and of the last that failed; 0 if there was none since the start.',
    ['channel', 'outcome'],
  );
  const refused = gauge(
    'korob_content_refused',
    '1 since an attempt to publish failed, until one succeeds; the last good content is served meanwhile.',
  );
  const outdated = gauge(
    'korob_content_outdated',
    '1 while what is served is not what was published last, because that is damaged or of no use to this version, or its time is over.',
  );
  // PostgreSQL is copied by its own tools, and a series would fire the alert.
  const backup =
    uncopiedSince &&
    gauge('korob_last_backup_timestamp_seconds', 'When "backup" last copied the database, or when that was made.');
  const storeErrors = new Counter({
    name: 'korob_store_errors_total',
    help: 'What could not be read from or written to the database.',
    registers,
  });
  collectDefaultMetrics({ register });
  // Series start at 0, so that the first event counts as a rise.
  for (const channel of channelKinds) {
    for (const outcome of outcomes) attemptedAt.set({ channel, outcome }, 0);
  }

  async function readOverdue(): Promise<number> {
    const oldest = await leads.oldestUntaken();
    const from = oldest && callsFrom(hours(), new Date(oldest));
    const due = from && afterWorkingMinutes(hours(), from, callWithinMinutes);
    return due ? Math.max(0, (Date.now() - due.getTime()) / 1000) : 0;
  }

  async function readDeliveries(): Promise<void> {
    const open = await deliveries.open();
    messages.reset();
    for (const { channel, state, count } of open) messages.inc({ channel: kindOf(channel), state }, count);
  }

  async function readStore(): Promise<void> {
    const stores = await leads.probe().then(
      () => true,
      () => false,
    );
    ready.set(stores ? 1 : 0);
    overdue.set(await readOverdue());
    await readDeliveries();
  }

  return {
    storeFailed: () => storeErrors.inc(),
    attempted: ({ kind }, outcome) => attemptedAt.set({ channel: kind, outcome }, Date.now() / 1000),
    outdated: (is) => outdated.set(is ? 1 : 0),
    async text() {
      // After a failure, which is counted, the last values stay.
      await readStore().catch(() => undefined);
      refused.set(isRefused() ? 1 : 0);
      if (uncopiedSince) backup?.set(uncopiedSince().getTime() / 1000);
      return register.metrics();
    },
  };
}

/** Serves `GET /metrics` on its own port, which visitors must not reach. */
export async function startMetrics(
  { port, host }: { port: number; host: string },
  sources: MetricsSources,
): Promise<Metrics & { stop(): Promise<void> }> {
  const metrics = collectMetrics(sources);
  const server = createServer(async (req, res) => {
    if (req.url !== '/metrics' || req.method !== 'GET') {
      res.writeHead(404, { 'Content-Type': 'text/plain' }).end('Metrics are at GET /metrics.\n');
      return;
    }
    res.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(await metrics.text());
  });
  // During a restart, the old and the new process share the port for a moment.
  await listening(server, { port, host, reusePort: true }, { host: 'METRICS_HOST', port: 'METRICS_PORT' });
  return {
    ...metrics,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Omits the address, which may be a person's. */
function kindOf(channel: string): string {
  return channel.replace(/:.*$/s, '');
}
