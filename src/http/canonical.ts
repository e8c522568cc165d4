import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { cacheFor } from '../lib/cache-for.ts';
import { decoded } from '../lib/decoded.ts';
import { dynamicAddresses } from '../model/addresses.ts';
import type { Site } from '../site/site.ts';
import { longestUrl } from './bounds.ts';
import { HttpError } from './http-error.ts';
import { searchOf } from './origin-form.ts';
import { movedAddresses } from './redirects.ts';

/**
 * Leads every other spelling of an address to the canonical one, in one step:
 * upper case, trailing or doubled slashes, letters in percent-encoding, `?page=1`,
 * and the addresses that editors have moved. Refuses addresses that cannot be read.
 */
export function canonical({ content, find, picture }: Site): RequestHandler {
  const movedTo = movedAddresses(content.redirects);
  return (req, res, next) => {
    if (lacksHost(req)) return next(new HttpError(400, 'Bad Request'));
    if (req.originalUrl.length > longestUrl) return next(new HttpError(414, 'URI Too Long'));
    const plain = plainPath(req.path);
    if (plain === undefined) return next(new HttpError(400, 'Bad Request'));
    const query = searchOf(req.originalUrl);
    const here = find(plain);
    const known = here !== undefined || picture(plain) !== undefined || dynamicAddresses.includes(plain);
    const asked = known ? { path: plain, search: query } : movedTo(plain, query);
    if (asked === undefined) return next();
    const page = here ?? find(asked.path);
    const search = page?.query.includes('page') ? withoutFirstPage(asked.search) : asked.search;
    if (asked.path === req.path && search === query) return next();
    // 308 keeps the method and the body: a form posted to another spelling is not lost.
    const status = req.method === 'GET' || req.method === 'HEAD' ? 301 : 308;
    // Editors move addresses, and may move them back; without a word, a browser would keep it for ever.
    res.set('Cache-Control', cacheFor.revalidate);
    res.redirect(status, asked.path + search);
  };
}

/**
 * The one spelling of a path: decoded, in lower case, with single slashes and none at its end.
 *
 * @returns `undefined` if it cannot be decoded, or hides control characters
 */
export function plainPath(path: string): string | undefined {
  const plain = decoded(path);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (plain === undefined || /[\u0000-\u001f\u007f]/.test(plain)) return undefined;
  return plain
    .toLowerCase()
    .replace(/\/{2,}/g, '/')
    .replace(/(.)\/$/, '$1');
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

/** The query without `page=1`, which is the address without it. */
function withoutFirstPage(search: string): string {
  const parameters = new URLSearchParams(search);
  if (parameters.getAll('page').join() !== '1') return search;
  parameters.delete('page');
  return parameters.size === 0 ? '' : `?${parameters}`;
}
