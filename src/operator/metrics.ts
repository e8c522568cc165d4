import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Answered } from '../http/request-log.ts';
import type { Channel } from '../leads/channels/channel.ts';
import { channelKinds } from '../leads/channels/configured.ts';
import type { Deliveries } from '../leads/store/deliveries.ts';
import type { Leads } from '../leads/store/leads.ts';
import type { Company } from '../model/content.ts';
import { afterWorkingMinutes, callsFrom, callWithinMinutes } from '../model/working-hours.ts';

type Listener = (req: IncomingMessage, res: ServerResponse) => boolean;

/** What Prometheus reads. No label holds anything that a visitor sent, and each has few values. */
export type Metrics = {
  /** Counts a failed database operation. */
  storeFailed(): void;
  /** Counts a request that Express has answered, by the pattern of its route. */
  answered(answer: Answered): void;
  /** Counts what a listener answers for prerendered pages. */
  timed(prerendered: Listener): Listener;
  /** Keeps the time of the last delivery and of the last failure. */
  attempted(channel: Channel, outcome: (typeof outcomes)[number]): void;
  /** Changes the build that is named. */
  serves(build: string): void;
  /** Whether something keeps the newest content from being published. */
  contentRefused(is: boolean): void;
  /** Whether a newer site should be served by now. */
  outdated(is: boolean): void;
  /** All of it in the format of Prometheus. */
  text(): Promise<string>;
};

/** Seconds. A prerendered page is handed over in a fraction of the first; the form promises 20 ms. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5];
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);
const outcomes = ['delivered', 'failed'] as const;

export type MetricsSources = {
  leads: Pick<Leads, 'probe' | 'stats'>;
  deliveries: Pick<Deliveries, 'open'>;
  /** As they are now. */
  hours: () => Company['workingHours'];
  draining: () => boolean;
};

export function collectMetrics(options: MetricsSources): Metrics {
  const { leads, deliveries, hours, draining } = options;
  const register = new Registry();
  const registers = [register];
  const requests = new Histogram({
    name: 'korob_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer; for prerendered pages, until it is handed over.',
    labelNames: ['method', 'route', 'status'],
    buckets,
    registers,
  });
  const attemptedAt = new Gauge({
    name: 'korob_last_attempt_timestamp_seconds',
    help: 'When somebody was last told of a lead, and when that last failed; 0 if it never did since the start.',
    labelNames: ['channel', 'outcome'],
    registers,
  });
  const storeErrors = new Counter({
    name: 'korob_store_errors_total',
    help: 'What could not be read from or written to the database.',
    registers,
  });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const kept = new Gauge({ name: 'korob_leads', help: 'Leads that are kept.', labelNames: ['state'], registers });
  const messages = new Gauge({
    name: 'korob_deliveries',
    help: 'Deliveries that wait, or were given up.',
    labelNames: ['channel', 'state'],
    registers,
  });
  const oldestAge = gauge(
    'korob_oldest_untaken_lead_age_seconds',
    'How long the oldest lead that nobody has taken has waited; 0 if there is none.',
  );
  const overdue = gauge(
    'korob_oldest_untaken_lead_overdue_seconds',
    'Time since the oldest lead that nobody has taken should have been called, working hours considered; 0 if none is due.',
  );
  const ready = gauge('korob_ready', '1 while pages are served and leads can be stored.');
  const buildInfo = new Gauge({
    name: 'korob_build_info',
    help: 'The build that is served.',
    labelNames: ['id'],
    registers,
  });
  const refused = gauge(
    'korob_content_refused',
    '1 while what editors have saved in the watched folder cannot be published; the last good content is served meanwhile.',
  );
  refused.set(0);
  const outdated = gauge(
    'korob_content_outdated',
    '1 while what is served is not what was published last, because that is damaged or of no use to this version, or its time is over.',
  );
  collectDefaultMetrics({ register });
  // Each series starts at 0, so that the first event counts as a rise.
  for (const channel of channelKinds) {
    for (const outcome of outcomes) attemptedAt.set({ channel, outcome }, 0);
  }

  async function look(): Promise<void> {
    ready.set(
      draining()
        ? 0
        : await leads.probe().then(
            () => 1,
            () => 0,
          ),
    );
    const { counts, oldestUntaken } = await leads.stats();
    for (const [state, count] of Object.entries(counts)) kept.set({ state }, count);
    const came = oldestUntaken === null ? undefined : new Date(oldestUntaken);
    const open = await deliveries.open();
    const from = came && callsFrom(hours(), came);
    const due = from && afterWorkingMinutes(hours(), from, callWithinMinutes);
    oldestAge.set(secondsSince(came));
    overdue.set(secondsSince(due));
    for (const channel of channelKinds) {
      for (const state of ['waiting', 'dead']) {
        const these = open.filter((one) => kindOf(one.channel) === channel && one.state === state);
        messages.set(
          { channel, state },
          these.reduce((sum, { count }) => sum + count, 0),
        );
      }
    }
  }

  return {
    storeFailed: () => storeErrors.inc(),
    answered({ route, method, status, ms }) {
      const labels = {
        method: methods.has(method) ? method : 'other',
        route: route ?? 'other',
        status: status === 'aborted' ? status : classOf(status),
      };
      requests.observe(labels, ms / 1000);
    },
    timed(prerendered) {
      const series = (method: string, status: string) => requests.labels({ method, route: 'prerendered', status });
      const classes = ['2xx', '3xx', '5xx'];
      const get = Object.fromEntries(classes.map((status) => [status, series('GET', status)]));
      const head = Object.fromEntries(classes.map((status) => [status, series('HEAD', status)]));
      return (req, res) => {
        const begun = performance.now();
        if (!prerendered(req, res)) return false;
        const observe = () => {
          const answers = req.method === 'HEAD' ? head : get;
          answers[classOf(res.statusCode)]?.observe((performance.now() - begun) / 1000);
        };
        // A picture is answered later, once it is read from the disk.
        if (res.headersSent) observe();
        else res.once('finish', observe);
        return true;
      };
    },
    attempted({ kind }, outcome) {
      attemptedAt.set({ channel: kind, outcome }, Date.now() / 1000);
    },
    serves(build) {
      buildInfo.reset();
      buildInfo.set({ id: build }, 1);
    },
    contentRefused: (is) => refused.set(is ? 1 : 0),
    outdated: (is) => outdated.set(is ? 1 : 0),
    async text() {
      // After a failure, which is counted, the last values stay.
      await look().catch(() => undefined);
      return register.metrics();
    },
  };
}

/**
 * Collects metrics and shows them at `GET /metrics` on a port of their own, which visitors must not reach.
 *
 * @throws if the port cannot be had
 */
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
  // A process that takes the place of another has the same environment, and both run for a moment.
  server.listen({ port, host, reusePort: true });
  await once(server, 'listening');
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

/** The part of a channel's name before the address, which may be a person's. */
function kindOf(channel: string): string {
  return channel.replace(/:.*$/s, '');
}

function classOf(status: number): string {
  return `${Math.floor(status / 100)}xx`;
}

/** 0 if there is no such time, or it is yet to come. */
function secondsSince(time: Date | undefined): number {
  return time === undefined ? 0 : Math.max(0, (Date.now() - time.getTime()) / 1000);
}
