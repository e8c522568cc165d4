import type { IncomingMessage, ServerResponse } from 'node:http';
import fresh from 'fresh';
import Negotiator from 'negotiator';
import type { Headers } from '../document/security-headers.ts';
import type { Encoding } from '../site/body.ts';
import type { Answer, SiteResponse } from '../site/response.ts';
import type { Site } from '../site/site.ts';

/**
 * Without Express: a lookup and a write.
 *
 * @param proxied sends nginx caching headers
 * @param security headers of a 503 for a picture
 * @returns a handler that returns false for other requests
 */
export function serveSite(
  { id, find }: Pick<Site, 'id' | 'find'>,
  picture: (path: string) => SiteResponse | undefined,
  proxied: boolean,
  security: Headers,
): (req: IncomingMessage, res: ServerResponse) => boolean {
  const refusal = { 'Retry-After': '10', 'Cache-Control': 'no-store', ...security };

  function send(res: ServerResponse, answer: Answer | undefined, keep: string | undefined): void {
    if (answer === undefined) return void res.writeHead(503, refusal).end();
    res.writeHead(200, withKeep(answer.headers, keep));
    res.end(res.req.method === 'HEAD' ? undefined : answer.body);
  }

  return (req, res) => {
    const { method, headers, url = '/' } = req;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const mark = url.indexOf('?');
    const path = mark === -1 ? url : url.slice(0, mark);
    const query = mark === -1 ? undefined : url.slice(mark + 1);
    const found = find(path) ?? picture(path);
    if (found === undefined || (query && dependsOn(found, query))) return false;
    const versioned = query === id;
    const keep = proxied && query === undefined ? keepUntil(found) : undefined;
    if (fresh(headers, { etag: found.etag() })) {
      res.writeHead(304, withKeep(found.unchanged(versioned), keep));
      res.end();
      return true;
    }
    const answer = found.answer(acceptedEncoding(headers['accept-encoding']), versioned);
    if (answer instanceof Promise) {
      answer.catch(() => undefined).then((one) => send(res, one, keep));
    } else send(res, answer, keep);
    return true;
  };
}

function withKeep(own: readonly string[], keep: string | undefined): string[] {
  return keep === undefined ? (own as string[]) : ['X-Accel-Expires', keep, ...own];
}

/**
 * Until the end of this second, since a number of seconds would round up. Comes before `Cache-Control`, because nginx
 * before 1.23 takes whichever is first.
 */
function keepUntil({ revalidated }: SiteResponse): string | undefined {
  return revalidated ? `@${Math.floor(Date.now() / 1000)}` : undefined;
}

function dependsOn({ query: names }: SiteResponse, query: string): boolean {
  if (names.length === 0) return false;
  const parameters = new URLSearchParams(query);
  return names.some((name) => parameters.has(name));
}

const encodings: Encoding[] = ['br', 'gzip', 'identity'];
/** A cache: browsers send few different headers. */
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
