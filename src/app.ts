import type { IncomingMessage, RequestListener } from 'node:http';
import compression from 'compression';
import express from 'express';
import type { Logger } from 'pino';
import type { Broadcast, StoredBroadcast } from './broadcast/broadcast.ts';
import { broadcastRouter } from './broadcast/broadcast-router.ts';
import { fileHeaders, securityHeaders } from './document/security-headers.ts';
import { boundHeaders, boundPipelines, longestUrl } from './http/bounds.ts';
import { canonical, lacksHost } from './http/canonical.ts';
import { errors, unmatched } from './http/errors.ts';
import { headAsGet } from './http/head-as-get.ts';
import { health } from './http/health.ts';
import { HttpError } from './http/http-error.ts';
import { type Counters, limiter, limits } from './http/limits.ts';
import { siteMethods } from './http/method-not-allowed.ts';
import { originForm } from './http/origin-form.ts';
import { pages } from './http/pages.ts';
import { requestLog } from './http/request-log.ts';
import { pictureResponses } from './http/serve-picture.ts';
import { serveSite } from './http/serve-site.ts';
import { speculationRulesRouter } from './http/speculation-rules.ts';
import type { Challenge } from './leads/form/challenge.ts';
import { contact } from './leads/form/contact-router.ts';
import type { Desk } from './leads/form/receive.ts';
import type { Deliveries } from './leads/store/deliveries.ts';
import type { Leads } from './leads/store/leads.ts';
import type { Links } from './leads/store/links.ts';
import { deskPages } from './operator/desk-router.ts';
import { editorRouter } from './operator/editor-router.ts';
import type { Metrics } from './operator/metrics.ts';
import { take } from './operator/take-router.ts';
import type { Repository } from './reading/repository.ts';
import type { PictureFolders } from './site/pictures.ts';
import { buildTiming } from './site/response.ts';
import type { Site } from './site/site.ts';

export type Services = {
  /** Absolute, without a trailing slash. */
  siteUrl: string;
  /** Number of trusted proxies. */
  trustProxy: number;
  site: Site;
  pictureFolders: PictureFolders;
  leads: Leads;
  deliveries: Deliveries;
  links: Links;
  desk: Desk;
  /** A stored broadcast can be switched at the desk. */
  broadcast: Broadcast | StoredBroadcast;
  counters: Counters;
  challenge?: Challenge;
  repository?: Repository;
  logger: Logger;
  /** True once the process is shutting down. */
  draining: () => boolean;
  /** Absent unless METRICS_PORT is set. */
  metrics?: Metrics;
};

/** The whole site as one request listener, without side effects, so that tests use it too. */
export function createApp(services: Services): RequestListener {
  const {
    siteUrl,
    trustProxy,
    site,
    leads,
    deliveries,
    links,
    desk,
    broadcast,
    counters,
    challenge,
    logger,
    draining,
    metrics,
  } = services;
  const refuse: express.RequestHandler = (_req, _res, next) => next(new HttpError(429, 'Too Many Requests'));

  const everywhere = { ...securityHeaders(siteUrl), 'Server-Timing': buildTiming(site.id) };
  const limitOnDemand = limiter(limits.onDemand, refuse, counters.onDemand);

  /** Errors of `finished`, for the error page of Express. */
  const failures = new WeakMap<IncomingMessage, unknown>();

  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('trust proxy', trustProxy);

  app.use(requestLog(logger, trustProxy > 0, metrics?.answered));
  app.use((_req, res, next) => next(void res.set(everywhere)));
  app.use(headAsGet);
  app.use(compression());
  app.use((req, _res, next) => next(failures.get(req)));
  app.use(health(leads, draining, logger));
  app.use(canonical(site));
  app.use(broadcastRouter({ site, broadcast, limit: limitOnDemand }));
  app.use(speculationRulesRouter());
  app.use(editorRouter({ repository: services.repository, site, siteUrl }));
  app.use(contact({ site, leads, receive: desk.receive, siteUrl, challenge, counters }));
  const limitStaff = limiter(limits.staff, refuse, counters.staff);
  app.use(take({ site, leads, links, siteUrl, limit: limitStaff }));
  app.use(deskPages({ site, leads, deliveries, links, release: desk.release, broadcast, siteUrl, limit: limitStaff }));
  app.use(pages(site, limitOnDemand));
  app.use(siteMethods(site));
  app.use(unmatched);
  app.use(errors(site));

  const pictures = pictureResponses(site, services.pictureFolders, siteUrl);
  const finished = serveSite(site, pictures, trustProxy > 0, fileHeaders(siteUrl));
  const answered = metrics?.timed(finished) ?? finished;
  return boundPipelines((req, res) => {
    // An open keep-alive connection would delay the exit.
    if (draining()) res.shouldKeepAlive = false;
    boundHeaders(req);
    req.url = originForm(req.url ?? '/');
    try {
      if (!lacksHost(req) && req.url.length <= longestUrl && answered(req, res)) return;
    } catch (error) {
      failures.set(req, error);
    }
    app(req, res);
  });
}
