import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { upstreamBroadcast } from './broadcast/broadcast.ts';
import { securityHeaders } from './document/security-headers.ts';
import { drain } from './http/drain.ts';
import { countersIn, ownCounters } from './http/limits.ts';
import { openSharedLimits } from './http/shared-limits.ts';
import { unparsable } from './http/unparsable.ts';
import { channels } from './leads/channels/configured.ts';
import { verifyChallenge } from './leads/form/challenge.ts';
import { startDesk } from './leads/form/receive.ts';
import { openStore } from './leads/store/open-store.ts';
import { startRetention } from './leads/store/retention.ts';
import { databasePath } from './leads/store/sqlite.ts';
import type { Config } from './operator/config.ts';
import type { startMetrics } from './operator/metrics.ts';
import type { PictureFolders } from './site/pictures.ts';
import type { Site } from './site/site.ts';

/** Milliseconds. `keepAlive` must exceed nginx's 60 s, so that nginx closes idle connections first. */
const timeouts = { headers: 10_000, request: 20_000, keepAlive: 65_000, connectionsCheck: 2_000, silence: 30_000 };

export type RunningServer = {
  /** Replaces the current site. */
  show(site: Site): void;
  contentRefused(is: boolean): void;
  outdated(is: boolean): void;
  /** Finishes requests in flight and closes everything. */
  stop(): Promise<void>;
};

type Options = {
  config: Config;
  site: Site;
  pictureFolders: PictureFolders;
  logger: Logger;
};

/** Opens what outlives a site; `show` builds what depends on one. @throws {StoreError} or an error of the port */
export async function startServer({ config, site: first, pictureFolders, logger }: Options): Promise<RunningServer> {
  const { siteUrl, dataDir } = config;
  const report = (error: Error | undefined) => {
    if (error) logger.warn({ err: error }, 'broadcast state unknown; the last good one is served');
    else logger.info('broadcast state known again');
  };
  let metrics: Awaited<ReturnType<typeof startMetrics>> | undefined;
  const store = await openStore(config, { report, onError: () => metrics?.storeFailed() });
  const { leads, deliveries, links } = store;
  if (config.databaseUrl && existsSync(databasePath(dataDir)) && (await leads.list({ limit: 1 })).length === 0) {
    logger.warn('PostgreSQL holds no leads, and SQLite in DATA_DIR may; "leads migrate" moves them before any come in');
  }
  const sharedLimits = config.redisUrl ? await openSharedLimits(config.redisUrl, logger) : undefined;
  const counters = sharedLimits ? countersIn(sharedLimits.store) : ownCounters();
  const broadcast = config.broadcastApiBase
    ? upstreamBroadcast({ base: config.broadcastApiBase, report })
    : store.broadcast;

  let draining = false;
  let site = first;
  const content = () => site.content;
  const leadChannels = channels(config.channels, {
    url: siteUrl,
    get name() {
      return content().company.name;
    },
    get timeZone() {
      return content().company.workingHours.timeZone;
    },
  });
  if (leadChannels.length === 0) {
    logger.warn('nobody is told of leads: no mail, webhook, chat or Bitrix24 is configured; see "leads list"');
  }
  const hours = () => content().company.workingHours;
  if (config.metrics) {
    const { startMetrics } = await import('./operator/metrics.ts');
    metrics = await startMetrics(config.metrics, { leads, deliveries, hours, draining: () => draining });
  }
  const challenge = config.turnstileSecretKey ? verifyChallenge({ secret: config.turnstileSecretKey }) : undefined;

  function appOf(next: Site): RequestListener {
    metrics?.serves(next.id);
    return createApp({
      siteUrl,
      trustProxy: config.trustProxy,
      site: next,
      pictureFolders,
      leads,
      deliveries,
      links,
      desk,
      broadcast,
      counters,
      repository: config.repository,
      challenge,
      logger,
      draining: () => draining,
      metrics,
    });
  }

  const desk = startDesk({
    leads,
    deliveries,
    channels: leadChannels,
    later: config.escalation,
    content,
    siteUrl,
    logger,
    onAttempt: metrics?.attempted,
  });
  let app = appOf(first);
  const answer: RequestListener = (req, res) => app(req, res);
  const server = createServer(
    {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      keepAliveTimeout: timeouts.keepAlive,
      connectionsCheckingInterval: timeouts.connectionsCheck,
      // Node's own refusals have no body, so the application answers.
      requireHostHeader: false,
    },
    answer,
  );
  // Cuts clients that do not read their response.
  server.timeout = timeouts.silence;
  server.on('clientError', unparsable(securityHeaders(siteUrl)));
  server.on('checkExpectation', answer);
  server.listen(config.port, config.host);
  await once(server, 'listening');
  logger.info({ url: config.siteUrl, port: config.port, build: first.id }, 'serving');
  const retention = startRetention({
    sql: store.sql,
    consent: () => content().legal.consent,
    retention: config.retention,
    logger,
  });

  return {
    show(next) {
      app = appOf(next);
      site = next;
      // The consent's text may have changed.
      retention.again();
    },
    contentRefused: (is) => metrics?.contentRefused(is),
    outdated: (is) => metrics?.outdated(is),
    async stop() {
      draining = true;
      await drain(server);
      await desk.stop();
      await retention.stop();
      await metrics?.stop();
      await store.close();
      sharedLimits?.close();
    },
  };
}
