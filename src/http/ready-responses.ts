import type { Request, RequestHandler, Response } from 'express';
import fresh from 'fresh';
import Negotiator from 'negotiator';
import type { Encoding } from '../site/compressed-body.ts';
import type { SiteResponse } from '../site/response.ts';
import type { Site } from '../site/site.ts';
import { isChunked, maxUrlLength } from './bounds.ts';
import type { CountRequest } from './request-count.ts';

declare global {
  namespace Express {
    interface Locals {
      /** Why a ready response could not be made. */
      failure?: unknown;
    }
  }
}

/**
 * Sends finished pages, payloads, the manifest and files. A single route, because a route for each of several hundred
 * addresses would be tried in turn. It writes the response with one call: Express would compute what is known.
 *
 * @param proxied sends nginx caching headers
 */
export function readyResponses(
  { id, find }: Pick<Site, 'id' | 'find'>,
  proxied: boolean,
  count: CountRequest,
): RequestHandler {
  const keep = keptThisSecond();

  function answer(req: Request, res: Response): boolean {
    const { url, headers } = req;
    if (url.length > maxUrlLength || isChunked(req)) return false;
    const mark = url.indexOf('?');
    const path = mark === -1 ? url : url.slice(0, mark);
    const query = mark === -1 ? '' : url.slice(mark + 1);
    const found = find(path);
    if (found === undefined || dependsOn(found, query)) return false;
    const versioned = query === id;
    const kept = proxied && mark === -1 && found.revalidated ? keep : (given: string[]) => given;
    if (fresh(headers, { etag: found.etag() })) {
      res.writeHead(304, kept(found.notModifiedHeaders(versioned))).end();
    } else {
      const { headers: own, body } = found.answer(acceptedEncoding(headers['accept-encoding']), versioned);
      res.writeHead(200, kept(own)).end(req.method === 'HEAD' ? undefined : body);
    }
    count(found.route, res.statusCode);
    return true;
  }

  return (req, res, next) => {
    try {
      if (answer(req, res)) return;
    } catch (error) {
      res.locals.failure = error;
    }
    // Express keeps the last route that matched, which logs and metrics name.
    req.route = undefined;
    next();
  };
}

/** Passes on why a ready response could not be made, once the error page can be logged and protected. */
export const passFailure: RequestHandler = (_req, res, next) => next(res.locals.failure);

/**
 * Caches in nginx until the end of this second; a number of seconds would round up. Comes before `Cache-Control`,
 * because nginx before 1.23 takes the first.
 */
function keptThisSecond(): (headers: string[]) => string[] {
  let second = 0;
  let kept = new WeakMap<string[], string[]>();
  return (headers) => {
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) [second, kept] = [now, new WeakMap()];
    const known = kept.get(headers);
    if (known) return known;
    const longer = ['X-Accel-Expires', `@${now}`, ...headers];
    kept.set(headers, longer);
    return longer;
  };
}

function dependsOn({ query: names }: SiteResponse, query: string): boolean {
  if (names.length === 0 || query === '') return false;
  const parameters = new URLSearchParams(query);
  return names.some((name) => parameters.has(name));
}

const encodings: Encoding[] = ['br', 'gzip', 'identity'];
/** Browsers send few different headers. */
const readBefore = new Map<string, Encoding>();

/** RFC 9110, 12.5.3. */
export function acceptedEncoding(header: string | string[] | undefined): Encoding {
  if (header === undefined) return 'identity';
  const value = String(header);
  const known = readBefore.get(value);
  if (known) return known;
  const liked = new Negotiator({ headers: { 'accept-encoding': value } }).encoding(encodings, {
    preferred: ['br', 'gzip'],
  });
  const accepted = encodings.find((encoding) => encoding === liked) ?? 'identity';
  if (readBefore.size >= 256) readBefore.clear();
  readBefore.set(value, accepted);
  return accepted;
}
