import type { RequestListener } from 'node:http';
import { constants } from 'node:zlib';
import compression from 'compression';
import express, { type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { bounds, encodeAddress, requireLength } from './http/bounds.ts';
import { broadcastRouter, broadcastState } from './http/broadcast-router.ts';
import { canonical } from './http/canonical.ts';
import { dynamicPages } from './http/dynamic-pages.ts';
import { errors, unmatched } from './http/errors.ts';
import { headAsGet } from './http/head-as-get.ts';
import { health } from './http/health.ts';
import type { Limiters } from './http/limits.ts';
import { passFailure, readyResponses } from './http/ready-responses.ts';
import { type CountRequest, countRequests } from './http/request-count.ts';
import { requestLog } from './http/request-log.ts';
import { siteMethods } from './http/router.ts';
import { servePictures } from './http/serve-picture.ts';
import { serveVideos } from './http/serve-video.ts';
import { deskRouter } from './leads/desk/desk-router.ts';
import { staffOrLimited } from './leads/desk/desk-session.ts';
import { takeRouter } from './leads/desk/take-router.ts';
import { contactRouter } from './leads/form/contact-router.ts';
import type { Challenge } from './leads/form/verify-challenge.ts';
import type { LeadIntake } from './leads/intake/lead-intake.ts';
import type { Links } from './leads/store/access-links.ts';
import type { Deliveries } from './leads/store/deliveries.ts';
import type { Leads } from './leads/store/leads.ts';
import type { Repository } from './loading/repository.ts';
import type { Broadcast, StoredBroadcast } from './model/broadcast.ts';
import { editorRouter } from './publishing/editor-router.ts';
import { buildTiming } from './site/response.ts';
import { type Headers, protectPages } from './site/security-headers.ts';
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
  /** For metrics. */
  countRequest: CountRequest;
  /** Counts the path of a page that is not found. */
  countMissing(path: string): void;
};

/** For responses that are not cached: 10 % smaller than quality 4, in the same time. */
const dynamicBrotliQuality = 5;

/** The whole site as one request listener without side effects. */
export function createApp(services: Services): RequestListener {
  const { siteUrl, trustProxy, site, leads, deliveries, links, intake, broadcast, published, limiters } = services;
  const { logger, draining, countRequest } = services;
  const proxied = trustProxy > 0;
  const headers = {
    'Server-Timing': buildTiming(site.id),
    // nginx caches pictures and ready responses, and nothing that is made for a request.
    ...(proxied && { 'X-Accel-Expires': '0' }),
  };

  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('trust proxy', trustProxy);

  app.use(bounds(draining));
  app.get(/^/, readyResponses(site, proxied, countRequest));
  app.use(countRequests(countRequest));
  app.use(servePictures(site, services.pictureFolders, siteUrl));
  app.use(serveVideos(site, siteUrl));
  app.use(requestLog(logger, proxied));
  app.use(protectPages(siteUrl));
  app.use(setHeaders(headers));
  app.use(headAsGet);
  app.use(health(leads, draining, logger));
  app.use(broadcastState({ site, broadcast }));
  app.use(staffOrLimited(links, limiters.requests));
  app.use(compression({ brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: dynamicBrotliQuality } } }));
  app.use(passFailure);
  app.use(requireLength);
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
  app.use(takeRouter({ site, leads, act: intake.act, siteUrl }));
  app.use(deskRouter({ site, leads, deliveries, intake, broadcast, published, siteUrl }));
  app.use(dynamicPages(site));
  app.use(siteMethods(site));
  app.use(unmatched);
  app.use(errors(site, services.countMissing, logger));
  return (req, res) => {
    encodeAddress(req);
    app(req, res);
  };
}

function setHeaders(headers: Headers): RequestHandler {
  return (_req, res, next) => {
    res.set(headers);
    next();
  };
}
