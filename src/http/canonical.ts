import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import type { Edition } from '../edition/open.ts';
import { cacheFor } from '../lib/cache-for.ts';
import { longestUrl } from './bounds.ts';
import { HttpError } from './http-error.ts';

/** Addresses that the process answers by itself. */
const dynamic: ReadonlySet<string> = new Set(['/contact', '/broadcast', '/video-broadcast', '/healthz', '/readyz']);

/**
 * Leads every other spelling of an address to the canonical one, in one step:
 * upper case, trailing or doubled slashes, letters in percent-encoding, `?page=1`,
 * and the addresses that editors have moved. Refuses addresses that cannot be read.
 */
export function canonical(edition: Edition): RequestHandler {
  return (req, res, next) => {
    if (lacksHost(req)) return next(new HttpError(400, 'Bad Request'));
    if (req.originalUrl.length > longestUrl) return next(new HttpError(414, 'URI Too Long'));
    const decoded = decode(req.path);
    if (decoded === undefined) return next(new HttpError(400, 'Bad Request'));
    const plain = decoded
      .toLowerCase()
      .replace(/\/{2,}/g, '/')
      .replace(/(.)\/$/, '$1');
    const moved = edition.redirects.get(plain);
    const page = edition.find(moved ?? plain);
    if (moved === undefined && page === undefined && !dynamic.has(plain)) return next();
    const path = moved ?? plain;
    const search = withoutFirstPage(req.originalUrl, page?.query.includes('page') ?? false);
    if (path === req.path && search === undefined) return next();
    // 308 keeps the method and the body: a form posted to another spelling is not lost.
    const status = req.method === 'GET' || req.method === 'HEAD' ? 301 : 308;
    // Editors move addresses, and may move them back; without a word, a browser would keep it for ever.
    res.set('Cache-Control', cacheFor.revalidate);
    res.redirect(status, path + (search ?? searchOf(req.originalUrl)));
  };
}

/** Such a request must be refused: it names no host, or more than one (RFC 9112, 3.2). */
export function lacksHost({ httpVersion, headers, rawHeaders }: IncomingMessage): boolean {
  if (headers.host === undefined) return httpVersion === '1.1';
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/** @returns `undefined` if the path cannot be decoded, or hides control characters */
function decode(path: string): string | undefined {
  try {
    const decoded = decodeURIComponent(path);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    return /[\u0000-\u001f\u007f]/.test(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
}

function searchOf(url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark);
}

/** The query without `page=1`, which is the address without it; `undefined` if it is fine as it is. */
function withoutFirstPage(url: string, paginated: boolean): string | undefined {
  if (!paginated) return undefined;
  const parameters = new URLSearchParams(searchOf(url));
  if (parameters.getAll('page').join() !== '1') return undefined;
  parameters.delete('page');
  return parameters.size === 0 ? '' : `?${parameters}`;
}
