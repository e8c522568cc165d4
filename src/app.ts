import type { IncomingMessage, RequestListener } from 'node:http';
import { constants } from 'node:zlib';
import compression from 'compression';
import express from 'express';
import type { Logger } from 'pino';
import { boundHeaders, boundPipelines, maxUrlLength, refuseChunks } from './http/bounds.ts';
import { broadcastRouter, broadcastState } from './http/broadcast-router.ts';
import { canonical } from './http/canonical.ts';
import { errors, unmatched } from './http/errors.ts';
import { headAsGet } from './http/head-as-get.ts';
import { health } from './http/health.ts';
import type { Limiters } from './http/limits.ts';
import { originForm } from './http/origin-form.ts';
import { requestLog } from './http/request-log.ts';
import { siteMethods } from './http/router.ts';
import { pages } from './http/serve-pages.ts';
import { servePictures } from './http/serve-picture.ts';
import { serveSite } from './http/serve-site.ts';
import { serveVideos } from './http/serve-video.ts';
import { deskRouter } from './leads/desk/desk-router.ts';
import { staffOrLimited } from './leads/desk/staff-link.ts';
import { takeRouter } from './leads/desk/take-router.ts';
import { contactRouter } from './leads/form/contact-router.ts';
import type { Challenge } from './leads/form/verify-challenge.ts';
import type { LeadIntake } from './leads/intake/lead-intake.ts';
import type { Links } from './leads/store/access-links.ts';
import type { Deliveries } from './leads/store/deliveries.ts';
import type { Leads } from './leads/store/leads.ts';
import type { Repository } from './loading/repository.ts';
import type { Broadcast, StoredBroadcast } from './pages/broadcast/broadcast.ts';
import { editorRouter } from './publishing/editor-router.ts';
import { buildTiming } from './site/response.ts';
import { securityHeaders } from './site/security-headers.ts';
import type { Site } from './site/site.ts';
import type { PictureFolders } from './site/site-pictures.ts';

export type Services = {
  /** Absolute, without a trailing slash. */
  siteUrl: string;
  /** Number of trusted proxies. */
  trustProxy: number;
  site: Site;
  /** Folder of the revisions; `undefined` where drafts are shown. */
  published: string | undefined;
  pictureFolders: PictureFolders;
  leads: Leads;
  deliveries: Deliveries;
  links: Links;
  intake: LeadIntake;
  /** A stored broadcast can be switched at the desk. */
  broadcast: Broadcast | StoredBroadcast;
  /** Shared by successive applications, so a new site does not reset them. */
  limiters: Limiters;
  challenge?: Challenge | undefined;
  repository?: Repository | undefined;
  logger: Logger;
  draining: () => boolean;
};

/** Brotli quality for responses that are not cached: 10 % smaller than quality 4, in the same time. */
const dense = 5;

/** The whole site as one request listener without side effects. */
export function createApp(services: Services): RequestListener {
  const {
    siteUrl,
    trustProxy,
    site,
    published,
    leads,
    deliveries,
    links,
    intake,
    broadcast,
    limiters,
    logger,
    draining,
  } = services;
  const proxied = trustProxy > 0;
  /** Errors of `finished`, for Express's error page. */
  const failures = new WeakMap<IncomingMessage, unknown>();

  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('trust proxy', trustProxy);

  app.use(servePictures(site, services.pictureFolders, siteUrl));
  app.use(serveVideos(site, siteUrl));
  app.use(requestLog(logger, proxied));
  const everywhere = {
    ...securityHeaders(siteUrl),
    'Server-Timing': buildTiming(site.id),
    // nginx keeps what `finished` and `servePictures` send, and nothing that is made for a request.
    ...(proxied && { 'X-Accel-Expires': '0' }),
  };
  app.use((_req, res, next) => next(void res.set(everywhere)));
  app.use(headAsGet);
  app.use(health(leads, draining, logger));
  app.use(broadcastState({ site, broadcast }));
  app.use(staffOrLimited(links, limiters.requests));
  app.use(compression({ brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: dense } } }));
  app.use((req, _res, next) => next(failures.get(req)));
  app.use(canonical(site));
  app.use(broadcastRouter({ site, broadcast }));
  app.use(editorRouter({ repository: services.repository, site, published, siteUrl }));
  app.use(
    contactRouter({
      site,
      leads,
      receive: intake.receive,
      siteUrl,
      challenge: services.challenge,
      limit: limiters.forms,
    }),
  );
  app.use(takeRouter({ site, leads, siteUrl }));
  const { release } = intake;
  app.use(deskRouter({ site, leads, deliveries, release, broadcast, published, siteUrl }));
  app.use(pages(site));
  app.use(siteMethods(site));
  app.use(unmatched);
  app.use(errors(site));

  const finished = serveSite(site, proxied);
  return boundPipelines((req, res) => {
    // An open keep-alive connection would delay the exit.
    if (draining()) res.shouldKeepAlive = false;
    if (refuseChunks(req, res)) return;
    boundHeaders(req);
    req.url = originForm(req.url ?? '/');
    try {
      if (req.url.length <= maxUrlLength && finished(req, res)) return;
    } catch (error) {
      failures.set(req, error);
    }
    app(req, res);
  });
}
