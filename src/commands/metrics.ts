import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Logger } from 'pino';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Deliveries, OpenDeliveries } from '../leads/store/deliveries.ts';
import type { Leads } from '../leads/store/leads.ts';
import { listening } from '../lib/listening.ts';
import { repeatedly } from '../lib/repeatedly.ts';
import type { Company } from '../model/content.ts';
import { afterWorkingMinutes, callsFrom } from '../model/working-hours.ts';

const leadOutcomes = ['waiting', 'quarantined'] as const;

export type Metrics = ReturnType<typeof createMetrics>;

/** What is asked at each read. */
export type MetricsSources = {
  leads: Pick<Leads, 'probe' | 'oldestUntaken'>;
  deliveries: Pick<Deliveries, 'open'>;
  /** Names of the configured ones. */
  channels: readonly string[];
  hours: () => Company['workingHours'];
  publicationFailed: () => boolean;
  /** When the database was last copied, or made if it never was; `undefined` if "backup" does not copy it. */
  uncopiedSince: (() => Date) | undefined;
  /** When the check of the form last succeeded. */
  lastCanaryAt: () => Date | undefined;
  /** On the disk of `DATA_DIR`. */
  freeBytes: () => number;
};

/**
 * Counts from the start of the process. Series start at 0, so that the first event counts as a rise. No label holds
 * anything that a visitor sent.
 */
export function createMetrics() {
  const register = new Registry();
  const registers = [register];
  const storeErrors = new Counter({
    name: 'korob_store_errors_total',
    help: 'Database operations that failed.',
    registers,
  });
  const leads = new Counter({
    name: 'korob_leads_total',
    help: 'Leads that were stored, by whether they wait for a call or in quarantine. A repeated form counts once.',
    labelNames: ['outcome'],
    registers,
  });
  // By route and status. A counter with labels takes a tenth of the time of a page.
  const requests = new Map<string, Map<number, number>>();
  new Counter({
    name: 'korob_http_requests_total',
    help: 'Requests that were answered, by the pattern of their address or the kind of file, and by status.',
    labelNames: ['route', 'status'],
    registers,
    collect() {
      this.reset();
      for (const [route, counts] of requests) for (const [status, count] of counts) this.inc({ route, status }, count);
    },
  });
  const outdated = new Gauge({
    name: 'korob_content_outdated',
    help: '1 while the content that is served is not what was published last, or is of another day.',
    registers,
  });
  for (const outcome of leadOutcomes) leads.inc({ outcome }, 0);
  return {
    register,
    /** A database operation failed. */
    storeFailed: () => storeErrors.inc(),
    /** A lead was stored. */
    received: (outcome: (typeof leadOutcomes)[number]) => leads.inc({ outcome }),
    requested(route: string, status: number) {
      const counts = requests.get(route) ?? new Map<number, number>();
      if (counts.size === 0) requests.set(route, counts);
      counts.set(status, (counts.get(status) ?? 0) + 1);
    },
    /** @param is whether a newer site should be served by now */
    outdated: (is: boolean) => outdated.set(is ? 1 : 0),
  };
}

/** Adds what is read from the store and the disk. */
export function addSources({ register }: Metrics, sources: MetricsSources): void {
  const { leads, deliveries, channels, hours, publicationFailed, uncopiedSince, lastCanaryAt, freeBytes } = sources;
  const registers = [register];

  /** Keeps its last value when `read` fails, which `korob_store_errors_total` counts. */
  function gauge(name: string, help: string, read: () => unknown): void {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const value = await Promise.try(read).catch(() => undefined);
        if (value !== undefined) this.set(Number(value));
      },
    });
  }

  const isReady = () =>
    leads.probe().then(
      () => true,
      () => false,
    );
  gauge('korob_ready', '1 while leads can be stored.', isReady);
  gauge(
    'korob_oldest_untaken_lead_overdue_seconds',
    'Seconds by which the call for the oldest untaken lead is late, in working hours; 0 if no call is due.',
    async () => overdueSeconds(await leads.oldestUntaken(), hours()),
  );
  gauge('korob_publication_failed', '1 since an attempt to publish failed, until one succeeds.', publicationFailed);
  gauge(
    'korob_last_canary_timestamp_seconds',
    'When "canary" last found that the form works; 0 before the first time.',
    () => (lastCanaryAt()?.getTime() ?? 0) / 1000,
  );
  gauge('korob_disk_free_bytes', 'Free space on the disk of DATA_DIR.', freeBytes);
  // PostgreSQL is copied by its own tools, and a series would fire the alert.
  if (uncopiedSince) {
    const help = 'When "backup" last copied the database, or when that was made.';
    gauge('korob_last_backup_timestamp_seconds', help, () => uncopiedSince().getTime() / 1000);
  }
  /** A channel that is not configured has a series while it has deliveries. */
  function channelGauge(name: string, help: string, set: (gauge: Gauge, open: OpenDeliveries) => void): void {
    new Gauge({
      name,
      help,
      labelNames: ['channel', 'state'],
      registers,
      async collect() {
        const open = await deliveries.open().catch(() => undefined);
        if (open === undefined) return;
        this.reset();
        for (const channel of channels) set(this, { channel, waiting: 0, waitingSince: null, error: null, givenUp: 0 });
        for (const one of open) set(this, one);
      },
    });
  }

  channelGauge(
    'korob_deliveries',
    'Deliveries that wait, or were given up.',
    (gauge, { channel, waiting, givenUp }) => {
      gauge.set({ channel, state: 'waiting' }, waiting);
      gauge.set({ channel, state: 'dead' }, givenUp);
    },
  );
  channelGauge(
    'korob_oldest_delivery_seconds',
    'For how long the oldest delivery of a channel has waited; 0 if none waits.',
    (gauge, { channel, waitingSince }) => gauge.set({ channel }, waitedSeconds(waitingSince)),
  );
}

/** The clock may have been set back. */
function waitedSeconds(since: string | null): number {
  return since === null ? 0 : Math.max(0, (Date.now() - Date.parse(since)) / 1000);
}

function overdueSeconds(oldest: string | undefined, hours: Company['workingHours']): number {
  const from = oldest && callsFrom(hours, new Date(oldest));
  const due = from && afterWorkingMinutes(hours, from, hours.callWithin);
  return due ? Math.max(0, (Date.now() - due.getTime()) / 1000) : 0;
}

/** So long as another process has the port. */
const listenIntervalMs = 1_000;

/**
 * Serves `GET /metrics` in the format of Prometheus on its own port, which visitors must not reach.
 *
 * @returns stops the server
 */
export function serveMetrics(
  address: { port: number; host: string },
  { register }: Metrics,
  logger: Logger,
): () => Promise<void> {
  collectDefaultMetrics({ register });
  const server = createServer(async (req, res) => {
    if (req.url !== '/metrics' || req.method !== 'GET') {
      res.writeHead(404, { 'Content-Type': 'text/plain' }).end('Metrics are at GET /metrics.\n');
      return;
    }
    res.writeHead(200, { 'Content-Type': register.contentType }).end(await register.metrics());
  });
  const begin = async () => {
    if (server.listening) return;
    await listening(server, address, { host: 'METRICS_HOST', port: 'METRICS_PORT' }, logger);
  };
  const beginning = repeatedly(begin, { intervalMs: listenIntervalMs, logger });
  return async () => {
    await beginning.stop();
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
}
