import type { RequestHandler } from 'express';
import { cacheFor } from '../lib/cache-for.ts';
import { decoded } from '../lib/decoded.ts';
import { dynamicAddresses } from '../model/addresses.ts';
import type { Site } from '../site/site.ts';
import { maxUrlLength } from './bounds.ts';
import { HttpError } from './http-error.ts';
import { movedAddresses } from './redirects.ts';

/** Redirects upper case, extra slashes, percent-encoding, `?page=1` and moved addresses in one step. */
export function canonical({ content, find, picture, video }: Site): RequestHandler {
  const movedTo = movedAddresses(content.redirects);

  /** The address that a page has now; `undefined` if there is no page. */
  function placeOf(plain: string, search: string): { path: string; search: string; hash: string } | undefined {
    const known = find(plain) ?? picture(plain) ?? video(plain) ?? dynamicAddresses.includes(plain);
    const place = known ? { path: plain, search, hash: '' } : movedTo(plain, search);
    const byPage = place && find(place.path)?.query.includes('page');
    return place && byPage ? { ...place, search: withoutFirstPage(place.search) } : place;
  }

  return (req, res, next) => {
    const plain = plainPath(req.path);
    if (plain === undefined) return next(new HttpError(400, 'Bad Request'));
    const asking = req.method === 'GET' || req.method === 'HEAD';
    if (req.originalUrl.length > maxUrlLength) {
      // Advertisements may add too long a query; their visitors get the page without it.
      const page = asking && plain.length <= maxUrlLength ? placeOf(plain, '') : undefined;
      if (page === undefined) return next(new HttpError(414, 'URI Too Long'));
      return res.set('Cache-Control', cacheFor.never).redirect(302, page.path + page.search + page.hash);
    }
    const query = searchOf(req.originalUrl);
    const place = placeOf(plain, query);
    if (place === undefined || (place.path === req.path && place.search === query)) return next();
    // Browsers would cache the redirect forever, but editors may move a page back.
    res.set('Cache-Control', cacheFor.revalidate);
    // 308 keeps the method and body of a form.
    res.redirect(asking ? 301 : 308, place.path + place.search + place.hash);
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

/** With its `?`. */
export function searchOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? '' : target.slice(mark);
}
