import type { Headers } from '../document/security-headers.ts';
import { cacheFor } from '../lib/cache-for.ts';
import { type Hash, hashOf, keyOf } from '../lib/hash.ts';
import { lazy } from '../lib/lazy.ts';
import type { Bodies, Encoding } from './bodies.ts';

export type HeaderSet = {
  type: string;
  cacheControl: string;
  /** With the build id as query. */
  versionedCacheControl?: string;
  security: Headers;
};

/** `headers` is name, value, name, value. */
export type Answer = { headers: readonly string[]; body: Buffer };

export type SiteResponse = {
  /** Parameters that require rendering on demand. */
  query: readonly string[];
  /** Browsers revalidate; a proxy may cache briefly. */
  revalidated: boolean;
  etag(): string;
  /** @param versioned whether the query is the build id */
  answer(encoding: Encoding, versioned: boolean): Answer;
  /** Headers of a 304. */
  unchanged(versioned: boolean): readonly string[];
  prepare(): Promise<void>;
};

/** Not in the HTML, so that unchanged pages keep their ETag. */
export function buildTiming(id: string): string {
  return `build;desc=${id}`;
}

type Parts = {
  headers: HeaderSet;
  /** Must be deterministic. */
  make: () => Buffer;
  bodies: Bodies;
  query?: readonly string[];
  /** For pages only. */
  buildId?: string;
};

/** Made on first use, and again after eviction. */
export function response({ headers, make, bodies, query = [], buildId }: Parts): SiteResponse {
  const { type, cacheControl, versionedCacheControl = cacheControl, security } = headers;
  /** Saves making the body twice. */
  let fresh: Buffer | undefined;
  const read = () => {
    const body = fresh ?? make();
    fresh = undefined;
    return body;
  };
  const named = lazy((): { hash: Hash; etag: string } => {
    fresh = make();
    const hash = hashOf(fresh);
    // Includes the headers: a 304 must not keep an outdated policy.
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

/** @throws for unknown extensions, which `nosniff` would make unusable */
export function contentType(file: string): string {
  const ending = file.slice(file.lastIndexOf('.') + 1).toLowerCase();
  const type = types[ending];
  if (type === undefined) throw new Error(`No content type is known for ${file}; add its ending to site/response.ts.`);
  return type;
}

/** Formats that are not compressed already. */
function isText(type: string): boolean {
  return /^text\/|json|xml|x-icon/.test(type);
}

export type SiteFile = { path: string; headers: HeaderSet; make: () => Buffer };

/** @param body functions are called on first use */
export function fileAt(
  path: string,
  body: Buffer | string | (() => string),
  cacheControl: string,
  security: Headers,
): SiteFile {
  // Verification files are written by third parties, so their charset is unknown.
  const type = contentType(path).replace(/(html);.*/, '$1');
  const make = () => (Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'function' ? body() : body));
  return { path, headers: { type, cacheControl, security }, make };
}
