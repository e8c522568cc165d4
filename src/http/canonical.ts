import type { RequestHandler } from 'express';
import { cacheFor } from '../lib/cache-for.ts';
import { decoded } from '../lib/decoded.ts';
import { dynamicAddresses } from '../model/addresses.ts';
import type { Site } from '../site/site.ts';
import { longestUrl } from './bounds.ts';
import { HttpError } from './http-error.ts';
import { searchOf } from './origin-form.ts';
import { movedAddresses } from './redirects.ts';

/** A page that an advertisement leads to is shown without its query. */
export const boundUrl: RequestHandler = (req, res, next) => {
  if (req.originalUrl.length <= longestUrl) return next();
  if (req.method !== 'GET' || req.path.length > longestUrl) return next(new HttpError(414, 'URI Too Long'));
  res.set('Cache-Control', cacheFor.never).redirect(302, req.path);
};

/** Redirects upper case, extra slashes, percent-encoding, `?page=1` and moved addresses in one step. */
export function canonical({ content, find, picture }: Site): RequestHandler {
  const movedTo = movedAddresses(content.redirects);
  return (req, res, next) => {
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
    // 308 keeps the method and body of a form.
    const status = req.method === 'GET' || req.method === 'HEAD' ? 301 : 308;
    // Browsers would cache the redirect forever, but editors may move a page back.
    res.set('Cache-Control', cacheFor.revalidate);
    res.redirect(status, asked.path + search);
  };
}

/** @returns `undefined` for malformed encoding and control characters */
export function plainPath(path: string): string | undefined {
  const plain = decoded(path);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (plain === undefined || /[\u0000-\u001f\u007f]/.test(plain)) return undefined;
  return plain
    .toLowerCase()
    .replace(/\/{2,}/g, '/')
    .replace(/(.)\/$/, '$1');
}

function withoutFirstPage(search: string): string {
  const parameters = new URLSearchParams(search);
  if (parameters.getAll('page').join() !== '1') return search;
  parameters.delete('page');
  return parameters.size === 0 ? '' : `?${parameters}`;
}
