import { createServer, type RequestListener, type Server } from 'node:http';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import type { Metrics, MetricsSources } from './commands/metrics.ts';
import type { Config } from './config.ts';
import { drain } from './http/drain.ts';
import { watchForwarded } from './http/forwarded.ts';
import { createLimiters } from './http/limits.ts';
import { openSharedLimits } from './http/shared-limits.ts';
import { channels } from './leads/channels/configured.ts';
import { verifyChallenge } from './leads/form/verify-challenge.ts';
import { startLeadIntake } from './leads/intake/lead-intake.ts';
import { uncopiedSince } from './leads/store/backup.ts';
import { openStore } from './leads/store/open-store.ts';
import { startRetention } from './leads/store/retention.ts';
import { listening } from './lib/listening.ts';
import { type Broadcast, embeddingProblem, upstreamBroadcast } from './pages/broadcast/broadcast.ts';
import { readRefusal } from './publishing/failed-publication.ts';
import type { Site } from './site/site.ts';
import type { PictureFolders } from './site/site-pictures.ts';

/** Milliseconds. `keepAliveTimeout` exceeds nginx's 60 s, so that nginx closes idle connections first. */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
};
/** Cuts off clients that do not read. */
const idleTimeoutMs = 30_000;

type RunningServer = {
  show(site: Site): void;
  outdated(is: boolean): void;
  /** Finishes requests in flight. */
  stop(): Promise<void>;
};

type Options = {
  config: Config;
  site: Site;
  /** Folder of the revisions; `undefined` where drafts are shown. */
  published: string | undefined;
  pictureFolders: PictureFolders;
  logger: Logger;
};

/** Opens what outlives a site; `show` rebuilds the rest. */
export async function startServer({
  config,
  site: first,
  published,
  pictureFolders,
  logger,
}: Options): Promise<RunningServer> {
  const { siteUrl } = config;
  let site = first;
  let draining = false;
  let metrics: Awaited<ReturnType<typeof openMetrics>>;
  const content = () => site.content;

  const report = (error: Error | undefined) => {
    if (error) logger.warn({ err: error }, 'broadcast state unknown; serving the last known state');
    else logger.info('broadcast state known again');
  };
  const { sql, leads, deliveries, links, ...store } = await openStore(config, {
    report,
    onError: () => metrics?.storeFailed(),
  });
  metrics = await openMetrics(config, {
    leads,
    deliveries,
    hours: () => content().company.workingHours,
    uncopiedSince: config.databaseUrl ? undefined : () => uncopiedSince(config.dataDir),
    refused: () => published !== undefined && readRefusal(published) !== undefined,
  });
  const sharedLimits = config.redisUrl ? await openSharedLimits(config.redisUrl, logger) : undefined;
  const intake = startLeadIntake({
    leads,
    deliveries,
    channels: openChannels(config, content, logger),
    later: config.escalation,
    content,
    siteUrl,
    logger,
    onAttempt: metrics?.attempted,
  });
  const { broadcastApiBase, turnstileSecretKey } = config;
  if (!broadcastApiBase) warnOfLink(store.broadcast, config, logger);
  const services = {
    siteUrl,
    trustProxy: config.trustProxy,
    published,
    pictureFolders,
    leads,
    deliveries,
    links,
    intake,
    broadcast: broadcastApiBase ? upstreamBroadcast({ base: broadcastApiBase, report }) : store.broadcast,
    limiters: createLimiters(sharedLimits?.store),
    repository: config.repository,
    challenge: turnstileSecretKey ? verifyChallenge({ secret: turnstileSecretKey }) : undefined,
    logger,
    draining: () => draining,
  };

  let app = createApp({ ...services, site });
  const watch = watchForwarded(config.trustProxy, logger);
  const server = await listen(config, (req, res) => {
    watch(req);
    app(req, res);
  });
  logger.info({ url: siteUrl, port: config.port, build: site.id }, 'serving');
  const consent = () => content().legal.consent;
  const retention = startRetention({ sql, consent, retention: config.retention, logger });

  return {
    show(next) {
      site = next;
      app = createApp({ ...services, site });
      // The consent's text may have changed.
      retention.again();
    },
    outdated: (is) => metrics?.outdated(is),
    async stop() {
      draining = true;
      await drain(server);
      await intake.stop();
      await retention.stop();
      await metrics?.stop();
      await store.close();
      sharedLimits?.close();
    },
  };
}

async function warnOfLink(broadcast: Broadcast, { integrations }: Config, logger: Logger): Promise<void> {
  const { url } = await broadcast.current();
  const problem = url && embeddingProblem(url, integrations.videoHosts);
  if (problem) logger.warn(problem);
}

async function openMetrics(
  { metrics }: Config,
  sources: MetricsSources,
): Promise<(Metrics & { stop(): Promise<void> }) | undefined> {
  if (metrics === undefined) return undefined;
  const { startMetrics } = await import('./commands/metrics.ts');
  return startMetrics(metrics, sources);
}

function openChannels(config: Config, content: () => Site['content'], logger: Logger) {
  const opened = channels(config.channels, {
    url: config.siteUrl,
    get name() {
      return content().company.name;
    },
    get timeZone() {
      return content().company.workingHours.timeZone;
    },
  });
  if (opened.length === 0) {
    logger.warn('no lead channel configured; leads are visible only at /desk');
  }
  return opened;
}

async function listen({ port, host }: Config, listener: RequestListener): Promise<Server> {
  const server = createServer(timeouts, listener);
  server.timeout = idleTimeoutMs;
  await listening(server, { port, host }, { host: 'HOST', port: 'PORT' });
  return server;
}
