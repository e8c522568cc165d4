import type { RequestListener, Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { addSources, createMetrics, type Metrics, serveMetrics } from './commands/metrics.ts';
import { countNotFound } from './commands/not-found.ts';
import type { Config } from './config.ts';
import { drain } from './http/drain.ts';
import { watchForwarded } from './http/forwarded.ts';
import { createHttpServer } from './http/http-server.ts';
import { createLimiters } from './http/limits.ts';
import { openSharedLimits } from './http/shared-limits.ts';
import { upstreamBroadcast } from './http/upstream-broadcast.ts';
import { channels } from './leads/channels/configured.ts';
import { verifyChallenge } from './leads/form/verify-challenge.ts';
import { startLeadIntake } from './leads/intake/lead-intake.ts';
import { uncopiedSince } from './leads/store/backup.ts';
import { lastCanaryAt } from './leads/store/canaries.ts';
import { openStore, type Store, type StoreOptions } from './leads/store/open-store.ts';
import { startRetention } from './leads/store/retention.ts';
import { freeBytes } from './lib/files.ts';
import { listening } from './lib/listening.ts';
import { outage } from './lib/outage.ts';
import { type Broadcast, embeddingProblem } from './model/broadcast.ts';
import type { Content } from './model/content.ts';
import { readFailedPublication } from './publishing/failed-publication.ts';
import type { Site } from './site/site.ts';
import type { PictureFolders } from './site/site-pictures.ts';

type RunningServer = {
  show(site: Site): void;
  outdated(is: boolean): void;
  /** Finishes requests in flight. */
  stop(): Promise<void>;
};

type ServerOptions = {
  config: Config;
  site: Site;
  /** Folder of the revisions; `undefined` where drafts are shown. */
  published: string | undefined;
  pictureFolders: PictureFolders;
  logger: Logger;
};

/** Opens what outlives a site; `show` rebuilds the rest. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { config, published, pictureFolders, logger } = options;
  let { site } = options;
  let draining = false;
  const metrics = createMetrics();
  const { close, retention, ...services } = await openServices(config, {
    content: () => site.content,
    metrics,
    logger,
  });

  addSources(metrics, {
    leads: services.leads,
    deliveries: services.deliveries,
    channels: services.intake.channels,
    hours: () => site.content.company.workingHours,
    lastCanaryAt: () => lastCanaryAt(config.dataDir),
    freeBytes: () => freeBytes(config.dataDir),
    uncopiedSince: config.databaseUrl ? undefined : () => uncopiedSince(config.dataDir),
    publicationFailed: () => published !== undefined && readFailedPublication(published) !== undefined,
  });
  const stopMetrics = config.metrics && serveMetrics(config.metrics, metrics, logger);

  const notFound = countNotFound(config.dataDir, config.port, logger);
  const appOf = (shown: Site) =>
    createApp({
      ...services,
      ...{ site: shown, published, pictureFolders },
      draining: () => draining,
      countRequest: metrics.requested,
      countMissing: notFound.add,
    });
  let app = appOf(site);
  const watch = watchForwarded(config.trustProxy, logger);
  const answer: RequestListener = (req, res) => {
    watch(req);
    app(req, res);
  };
  const server = await listen(config, answer, logger);
  logger.info({ url: config.siteUrl, port: config.port, build: site.id }, 'serving');

  return {
    show(next) {
      // Before `site`: if this throws, the current site stays as it is.
      app = appOf(next);
      site = next;
      // The consent's text may have changed.
      retention.again();
    },
    outdated: metrics.outdated,
    async stop() {
      draining = true;
      await drain(server);
      await Promise.all([stopMetrics?.(), notFound.stop()]);
      await close();
    },
  };
}

type ServiceParts = { content: () => Content; metrics: Metrics; logger: Logger };

/** Everything that an application needs except the site. */
async function openServices(config: Config, { content, metrics, logger }: ServiceParts) {
  const { siteUrl, trustProxy, repository, broadcastApiBase, turnstileSecretKey } = config;
  const report = (error: Error | undefined) => {
    if (error) logger.warn({ err: error }, 'broadcast state unknown; serving the last known state');
    else logger.info('broadcast state known again');
  };
  const store = await openWhenReachable(config, { report, onError: metrics.storeFailed }, logger);
  const { sql, leads, deliveries, links } = store;
  const sharedLimits = config.redisUrl ? await openSharedLimits(config.redisUrl, logger) : undefined;
  const intake = startLeadIntake({
    leads,
    deliveries,
    channels: openChannels(config, content, logger),
    later: config.escalation,
    content,
    siteUrl,
    logger,
    onLead: metrics.received,
  });
  const consent = () => content().legal.consent;
  const retention = startRetention({ sql, dataDir: config.dataDir, consent, retention: config.retention, logger });
  if (!broadcastApiBase) warnOfLink(store.broadcast, config, logger);
  return {
    siteUrl,
    trustProxy,
    repository,
    leads,
    deliveries,
    links,
    intake,
    broadcast: broadcastApiBase ? upstreamBroadcast({ base: broadcastApiBase, report }) : store.broadcast,
    limiters: createLimiters(sharedLimits?.store),
    challenge: turnstileSecretKey ? verifyChallenge({ secret: turnstileSecretKey }) : undefined,
    retention,
    logger,
    async close() {
      await intake.stop();
      await retention.stop();
      await store.close();
      sharedLimits?.close();
    },
  };
}

const databaseRetryMs = 1_000;

/** After a power cut, PostgreSQL may start later than this server. */
async function openWhenReachable(config: Config, options: StoreOptions, logger: Logger): Promise<Store> {
  const { failed, over } = outage((error) => {
    if (error) logger.error({ err: error }, 'waiting for the database; trying every second');
    else logger.info('the database is reachable');
  });
  for (;;) {
    try {
      const store = await openStore(config, options);
      await probe(store);
      over();
      return store;
    } catch (error) {
      if (config.databaseUrl === undefined) throw error;
      failed(error);
    }
    await sleep(databaseRetryMs);
  }
}

/** @throws {StoreError} if the store takes no lead, as with the tables of another build; closes it then */
async function probe({ leads, close }: Store): Promise<void> {
  try {
    await leads.probe();
  } catch (error) {
    await close();
    throw error;
  }
}

async function warnOfLink(broadcast: Broadcast, { integrations }: Config, logger: Logger): Promise<void> {
  const { url } = await broadcast.current();
  const problem = url && embeddingProblem(url, integrations.videoHosts);
  if (problem) logger.warn(problem);
}

function openChannels(config: Config, content: () => Content, logger: Logger) {
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

async function listen({ port, host }: Config, listener: RequestListener, logger: Logger): Promise<Server> {
  const server = createHttpServer(listener);
  await listening(server, { port, host }, { host: 'HOST', port: 'PORT' }, logger);
  return server;
}
