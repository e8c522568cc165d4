import type { RequestListener } from 'node:http';
import compression from 'compression';
import express from 'express';
import type { Logger } from 'pino';
import type { Broadcast, StoredBroadcast } from './broadcast/broadcast.ts';
import { broadcastRouter } from './broadcast/broadcast-router.ts';
import { securityHeaders } from './document/security-headers.ts';
import { editorRouter } from './editing/editor-router.ts';
import type { Repository } from './editing/repository.ts';
import type { Edition } from './edition/open.ts';
import { editionTiming } from './edition/resource.ts';
import { boundHeaders, boundPipelines, longestUrl } from './http/bounds.ts';
import { canonical, lacksHost } from './http/canonical.ts';
import { dictionaryRouter } from './http/dictionary.ts';
import { errors, unmatched } from './http/errors.ts';
import { headAsGet } from './http/head-as-get.ts';
import { health } from './http/health.ts';
import { HttpError } from './http/http-error.ts';
import { indexNowKey } from './http/indexnow-key.ts';
import { type Counters, limiter, limits } from './http/limits.ts';
import { editionMethods } from './http/method-not-allowed.ts';
import type { MissedAddresses } from './http/missed.ts';
import { originForm } from './http/origin-form.ts';
import { pages } from './http/pages.ts';
import { servePrerendered } from './http/prerendered.ts';
import { requestLog } from './http/request-log.ts';
import type { Site } from './http/site.ts';
import { speculationRulesRouter } from './http/speculation-rules.ts';
import { unfinished } from './http/unfinished.ts';
import type { Challenge } from './leads/form/challenge.ts';
import { contact } from './leads/form/contact-router.ts';
import type { Desk } from './leads/operator/desk.ts';
import { deskPages } from './leads/operator/desk-router.ts';
import type { Metrics } from './leads/operator/metrics.ts';
import { take } from './leads/operator/take-router.ts';
import type { LeadStore } from './leads/store/lead.ts';

/** Everything that the site is served from. */
export type Services = {
  /** Absolute address of the site, without a trailing slash. */
  siteUrl: string;
  /** Number of proxies in front. */
  trustProxy: number;
  edition: Edition;
  /** Makes a picture of the edition that is asked for before its turn; it must not reject. */
  makePicture: (path: string) => Promise<void>;
  site: Site;
  leads: LeadStore;
  desk: Desk;
  /** One that is stored here is switched at the desk. */
  broadcast: Broadcast | StoredBroadcast;
  missed: MissedAddresses;
  /** Where rate limits are counted. */
  counters: Counters;
  /** Tells machines by the token that their browser brings. */
  challenge?: Challenge | undefined;
  /** What the editor in the browser works on; without it, there is none. */
  repository?: Repository | undefined;
  /** Published for search engines that are told of changes. */
  indexNowKey?: string | undefined;
  logger: Logger;
  /** True once the process is about to stop. */
  draining: () => boolean;
  /** Absent unless the operator has set a port for them. */
  metrics?: Metrics | undefined;
};

/**
 * The whole site as one request listener. It has no effects of its own: it
 * neither listens nor opens anything, so tests run the very same function.
 */
export function createApp(services: Services): RequestListener {
  const { siteUrl, trustProxy, edition, site, leads, desk, broadcast, counters, challenge, logger, draining, metrics } =
    services;
  const refuse: express.RequestHandler = (_req, _res, next) => next(new HttpError(429, 'Too Many Requests'));

  const everywhere = { ...securityHeaders(siteUrl), 'Server-Timing': editionTiming(edition.id) };
  const limitOnDemand = limiter(limits.onDemand, refuse, counters.onDemand);

  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('trust proxy', trustProxy);

  app.use(requestLog(logger, trustProxy > 0, metrics?.answered));
  app.use((_req, res, next) => next(void res.set(everywhere)));
  app.use(headAsGet);
  app.use(compression());
  app.use(health(leads, draining, logger));
  app.use(canonical(edition));
  app.use(broadcastRouter({ site, broadcast, limit: limitOnDemand }));
  app.use(speculationRulesRouter());
  app.use(dictionaryRouter(edition));
  app.use(indexNowKey(services.indexNowKey));
  app.use(editorRouter({ repository: services.repository, site, siteUrl }));
  app.use(contact({ site, leads, receive: desk.receive, siteUrl, challenge, counters }));
  const limitStaff = limiter(limits.staff, refuse, counters.staff);
  app.use(take({ site, leads, rightOf: desk.rightOf, siteUrl, limit: limitStaff }));
  app.use(deskPages({ site, leads, release: desk.release, broadcast, siteUrl, limit: limitStaff }));
  app.use(pages(site, { limit: limitOnDemand }));
  app.use(unfinished(edition, services.makePicture));
  app.use(editionMethods(edition));
  app.use(unmatched);
  app.use(errors(site, services.missed));

  const finished = servePrerendered(edition, trustProxy > 0);
  const prerendered = metrics?.timed(finished) ?? finished;
  return boundPipelines((req, res) => {
    // A connection that outlives its answer would hold up the end of the process.
    if (draining()) res.shouldKeepAlive = false;
    boundHeaders(req);
    req.url = originForm(req.url ?? '/');
    if (lacksHost(req) || req.url.length > longestUrl || !prerendered(req, res)) app(req, res);
  });
}
