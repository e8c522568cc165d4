import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { createApp } from './app.ts';
import { upstreamBroadcast } from './broadcast/broadcast.ts';
import { loadConfig } from './config.ts';
import { readCode } from './edition/inputs.ts';
import type { Edition } from './edition/open.ts';
import { prepareEdition } from './edition/prepare.ts';
import { prerenderApart, startRenewal } from './edition/renewal.ts';
import { drain } from './http/drain.ts';
import { ownCounters } from './http/limits.ts';
import { openSharedLimits } from './http/shared-limits.ts';
import { siteOf } from './http/site.ts';
import { answerUnparsable } from './http/unparsable.ts';
import { verifyChallenge } from './leads/challenge.ts';
import { channels } from './leads/channels/configured.ts';
import { databasePath } from './leads/database.ts';
import { startDesk } from './leads/desk.ts';
import { startRetention } from './leads/retention.ts';
import { openStore } from './open-store.ts';
import { paths } from './paths.ts';

/** Milliseconds. nginx keeps its connections for 60 s: this side must not close one first. */
const timeouts = { headers: 10_000, request: 20_000, keepAlive: 65_000, connectionsCheck: 2_000 };

/** What the process can be told besides its environment: to show what visitors do not see yet. */
const { preview } = parseArgs({ options: { preview: { type: 'boolean', default: false } } }).values;

async function main(): Promise<void> {
  const config = loadConfig(process.env, paths.content);
  const { siteUrl, dataDir } = config;
  const logger = pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime });
  const code = readCode(paths.code);
  const report = (error: Error | undefined) => {
    if (error) logger.warn({ err: error }, 'broadcast state unknown; the last good one is served');
    else logger.info('broadcast state known again');
  };
  const store = await openStore(config, { report });
  const { leads } = store;
  if (config.databaseUrl && existsSync(databasePath(dataDir)) && (await leads.list({ limit: 1 })).length === 0) {
    logger.warn('PostgreSQL holds no leads, and SQLite in DATA_DIR may; "leads migrate" moves them before any come in');
  }
  const sharedLimits = config.redisUrl ? await openSharedLimits(config.redisUrl, logger) : undefined;
  const counters = sharedLimits
    ? { contact: sharedLimits.store('contact'), onDemand: sharedLimits.store('on-demand') }
    : ownCounters();
  const presentEdition = () =>
    prepareEdition({
      code,
      contentDir: config.contentDir,
      publicDir: paths.public,
      siteUrl,
      integrations: config.integrations,
      preview,
      shippedDir: paths.shippedEditions,
      ownDir: paths.ownEditions(dataDir),
      onBuild: () => logger.info('making an edition for this content and address; it takes some seconds'),
    });
  const edition = await presentEdition();
  if (edition.demo) {
    logger.warn('the company facts are the invented ones that ship; edit company.yaml and set demo to false');
  }
  const broadcast = config.broadcastApiBase
    ? upstreamBroadcast({ base: config.broadcastApiBase, report })
    : store.broadcast;

  let draining = false;
  const content = edition.content();
  const { name, workingHours } = content.company;
  const leadChannels = channels(config.channels, { name, url: siteUrl, timeZone: workingHours.timeZone });
  if (leadChannels.length === 0) {
    logger.warn('nobody is told of leads: no mail, webhook, chat or Bitrix24 is configured; see "leads list"');
  }
  const sources = { store: leads, hours: workingHours, draining: () => draining };
  const metrics = config.metrics && (await (await import('./http/metrics.ts')).startMetrics(config.metrics, sources));
  const watchedLeads = metrics?.store ?? leads;
  metrics?.serves(edition.id);
  const desk = await startDesk({
    store: watchedLeads,
    channels: leadChannels,
    later: config.escalation,
    content,
    siteUrl,
    logger,
    ...(metrics && { onAttempt: metrics.attempted }),
  });
  const appFor = (edition: Edition) =>
    createApp({
      siteUrl,
      trustProxy: config.trustProxy,
      edition,
      site: siteOf(edition, { siteUrl, code }),
      leads: watchedLeads,
      desk,
      broadcast,
      counters,
      indexNowKey: config.indexNow?.key,
      challenge: config.turnstileSecretKey ? verifyChallenge({ secret: config.turnstileSecretKey }) : undefined,
      logger,
      draining: () => draining,
      metrics,
    });
  let app = appFor(edition);
  const answer: RequestListener = (req, res) => app(req, res);
  const server = createServer(
    {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      keepAliveTimeout: timeouts.keepAlive,
      connectionsCheckingInterval: timeouts.connectionsCheck,
      // Node's own refusals are empty; the application refuses in words.
      requireHostHeader: false,
    },
    answer,
  );
  server.on('clientError', answerUnparsable);
  server.on('checkExpectation', answer);
  server.listen(config.port, config.host);
  await once(server, 'listening');
  logger.info({ port: config.port, edition: edition.id, pages: edition.prerendered.length }, 'serving');

  const renewal = startRenewal({
    edition,
    async remake() {
      await prerenderApart(preview ? ['--preview'] : []);
      return presentEdition();
    },
    onRenewed(next) {
      app = appFor(next);
      metrics?.serves(next.id);
    },
    logger,
  });
  const retention = startRetention({
    store: watchedLeads,
    consent: content.legal.consent,
    retention: config.retention,
    logger,
  });

  const stop = async (signal: string) => {
    if (draining) return;
    draining = true;
    logger.info({ signal }, 'draining');
    await drain(server);
    await desk.stop();
    await renewal.stop();
    await retention.stop();
    await metrics?.stop();
    await store.close();
    sharedLimits?.close();
    logger.info('stopped');
    // A name that is still being looked up must not hold up the end.
    process.exit();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}\n`);
  process.exit(1);
}
