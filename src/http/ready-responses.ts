import type { IncomingMessage, ServerResponse } from 'node:http';
import fresh from 'fresh';
import Negotiator from 'negotiator';
import type { Encoding } from '../site/compressed-body.ts';
import type { SiteResponse } from '../site/response.ts';
import type { Site } from '../site/site.ts';
import { maxUrlLength } from './bounds.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** Why a ready response could not be made; Express shows the error page. */
    failure?: unknown;
  }
}

/**
 * Answers requests for finished pages and files, without Express.
 *
 * @param proxied sends nginx caching headers
 * @returns a handler that returns the route of its answer; `undefined` for other requests
 */
export function readyResponses(
  { id, find }: Pick<Site, 'id' | 'find'>,
  proxied: boolean,
): (req: IncomingMessage, res: ServerResponse) => string | undefined {
  function answer(req: IncomingMessage, res: ServerResponse): string | undefined {
    const { method, headers, url = '/' } = req;
    if ((method !== 'GET' && method !== 'HEAD') || url.length > maxUrlLength) return undefined;
    const mark = url.indexOf('?');
    const path = mark === -1 ? url : url.slice(0, mark);
    const query = mark === -1 ? '' : url.slice(mark + 1);
    const found = find(path);
    if (found === undefined || dependsOn(found, query)) return undefined;
    const versioned = query === id;
    const keep = proxied && mark === -1 && found.revalidated ? keepThisSecond() : [];
    if (fresh(headers, { etag: found.etag() })) {
      res.writeHead(304, [...keep, ...found.notModifiedHeaders(versioned)]).end();
      return found.route;
    }
    const response = found.answer(acceptedEncoding(headers['accept-encoding']), versioned);
    res.writeHead(200, [...keep, ...response.headers]).end(method === 'HEAD' ? undefined : response.body);
    return found.route;
  }

  return (req, res) => {
    try {
      return answer(req, res);
    } catch (error) {
      req.failure = error;
      return undefined;
    }
  };
}

/**
 * Caches in nginx until the end of this second; a number of seconds would round up. Comes before `Cache-Control`,
 * because nginx before 1.23 takes the first.
 */
function keepThisSecond(): string[] {
  return ['X-Accel-Expires', `@${Math.floor(Date.now() / 1000)}`];
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
