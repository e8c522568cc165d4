import type { Headers } from '../document/security-headers.ts';
import { cacheFor } from '../lib/cache-for.ts';
import { type Hash, hashOf, keyOf } from '../lib/hash.ts';
import { lazy } from '../lib/lazy.ts';
import type { Bodies, Encoding } from './bodies.ts';

/** How responses of one kind are sent; the same object for all of them. */
export type HeaderSet = {
  type: string;
  cacheControl: string;
  /** Cache-Control when the query is the build id, for a payload. */
  versionedCacheControl?: string;
  security: Headers;
};

/** A finished answer: headers as a flat list of names and values, ready for `writeHead`. */
export type Answer = { headers: readonly string[]; body: Buffer };

/** What a `GET` of one address of the site is answered with. */
export type SiteResponse = {
  /** Names of query parameters with which the page must be rendered on demand. */
  query: readonly string[];
  /** Whether visitors ask for it each time, though a proxy may keep it for a moment. */
  revalidated: boolean;
  etag(): string;
  /**
   * `undefined` if it is still to be made: a picture.
   *
   * @param versioned whether the query is the build id
   */
  answer(encoding: Encoding, versioned: boolean): Answer | Promise<Answer | undefined>;
  /** Headers of a 304. */
  unchanged(versioned: boolean): readonly string[];
  /** Has its body ready and as small as can be. */
  prepare(): Promise<void>;
};

/**
 * Value of `Server-Timing` by which a page learns of which build it is. In the page itself it cannot stand: a page that
 * stays the same keeps its ETag.
 */
export function buildTiming(id: string): string {
  return `build;desc=${id}`;
}

type Parts = {
  headers: HeaderSet;
  /** Makes the body, which is the same each time. */
  make: () => Buffer;
  bodies: Bodies;
  query?: readonly string[];
  /** Said by pages alone. */
  buildId?: string;
};

/** A response whose body is made when it is first asked for, and again if it was not kept. */
export function response({ headers, make, bodies, query = [], buildId }: Parts): SiteResponse {
  const { type, cacheControl, versionedCacheControl = cacheControl, security } = headers;
  /** Made to know its hash, and mostly asked for at once. */
  let fresh: Buffer | undefined;
  const read = () => {
    const body = fresh ?? make();
    fresh = undefined;
    return body;
  };
  const named = lazy((): { hash: Hash; etag: string } => {
    fresh = make();
    const hash = hashOf(fresh);
    // The headers count too: a 304 must not keep a page under an old policy.
    return { hash, etag: etagOf(headers, hash) };
  });
  const listed = lazy(() =>
    [cacheControl, versionedCacheControl].map((control) => [
      ...['ETag', named().etag, 'Cache-Control', control, 'Vary', 'Accept-Encoding'],
      ...Object.entries(security).flat(),
      ...(buildId === undefined ? [] : ['Server-Timing', buildTiming(buildId)]),
    ]),
  );
  const unchanged = (versioned: boolean) => listed()[versioned ? 1 : 0] as string[];
  const packable = isText(type);

  return {
    query,
    revalidated: cacheControl === cacheFor.revalidate,
    etag: () => named().etag,
    unchanged,
    answer(wanted, versioned) {
      const { hash } = named();
      const { encoding, bytes } = bodies.get(hash, packable ? wanted : 'identity', read);
      const own = ['Content-Type', type, 'Content-Length', String(bytes.length)];
      if (encoding !== 'identity') own.push('Content-Encoding', encoding);
      return { headers: [...own, ...unchanged(versioned)], body: bytes };
    },
    async prepare() {
      if (packable) await bodies.compressWell(named().hash, read);
      fresh = undefined;
    },
  };
}

export function etagOf(headers: HeaderSet, hash: Hash): string {
  return `W/"${keyOf(headers, hash).slice(0, 20)}"`;
}

const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  ico: 'image/x-icon',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
  woff2: 'font/woff2',
  mp4: 'video/mp4',
  webmanifest: 'application/manifest+json',
};

/**
 * Content type by a file's ending.
 *
 * @throws if the ending is unknown: a browser told `nosniff` could not use the file
 */
export function contentType(file: string): string {
  const ending = file.slice(file.lastIndexOf('.') + 1).toLowerCase();
  const type = types[ending];
  if (type === undefined) throw new Error(`No content type is known for ${file}; add its ending to site/response.ts.`);
  return type;
}

/** What is not packed already. */
function isText(type: string): boolean {
  return /^text\/|json|xml|x-icon/.test(type);
}

/** A file of the site, as it is. */
export type SiteFile = { path: string; headers: HeaderSet; make: () => Buffer };

/** @param body what it holds, or what makes it when it is first asked for */
export function fileAt(
  path: string,
  body: Buffer | string | (() => string),
  cacheControl: string,
  security: Headers,
): SiteFile {
  // Without a charset it is no page, and says what somebody else wrote.
  const type = contentType(path).replace(/(html);.*/, '$1');
  const make = () => (Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'function' ? body() : body));
  return { path, headers: { type, cacheControl, security }, make };
}
