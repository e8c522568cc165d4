import { basename } from 'node:path';
import mime from 'mime-types';
import type { Cache } from '../lib/cache.ts';
import { cacheFor } from '../lib/cache-for.ts';
import { keyOf } from '../lib/hash.ts';
import { lazy } from '../lib/lazy.ts';
import { bodyOf, type EncodedBody, type Encoding } from './compressed-body.ts';
import type { Headers } from './security-headers.ts';

type HeaderSet = {
  type: string;
  cacheControl: string;
  /** For URLs with the build id. */
  versionedCacheControl?: string;
};

type Made = { body: Buffer; security: Headers };

/** `headers` alternates names and values. */
type EncodedAnswer = { headers: string[]; body: Buffer };

export type SiteResponse = {
  /** For metrics: the pattern of a page's address, or the kind of file. */
  route: string;
  /** Parameters that require rendering on demand. */
  query: readonly string[];
  /** Browsers revalidate; a proxy may cache briefly. */
  revalidated: boolean;
  etag(): string;
  /** @param versioned the query is the build id */
  answer(encoding: Encoding, versioned: boolean): EncodedAnswer;
  notModifiedHeaders(versioned: boolean): string[];
  prepare(): Promise<void>;
};

/** Not in the HTML, so that unchanged pages keep their ETag. */
export function buildTiming(id: string): string {
  return `build;desc=${id}`;
}

type ResponseParts = {
  route: string;
  headers: HeaderSet;
  make: () => Made;
  cache: Cache;
  query?: readonly string[];
  buildId?: string;
};

export function response({ route, headers, make, cache, query = [], buildId }: ResponseParts): SiteResponse {
  const { type, cacheControl, versionedCacheControl = cacheControl } = headers;
  const compressible = isText(type);
  const made = lazy(() => {
    const { body: bytes, security } = make();
    const body = bodyOf(bytes, cache);
    // Covers the headers, because a 304 must not keep an outdated policy.
    const etag = `W/"${keyOf(headers, security, body.hash).slice(0, 20)}"`;
    const timing = buildId === undefined ? [] : ['Server-Timing', buildTiming(buildId)];
    const common = (control: string) => [...validators(etag, control), ...Object.entries(security).flat(), ...timing];
    return { body, etag, headers: common(cacheControl), versionedHeaders: common(versionedCacheControl) };
  });
  const answers = {
    plain: new WeakMap<EncodedBody, EncodedAnswer>(),
    versioned: new WeakMap<EncodedBody, EncodedAnswer>(),
  };
  const notModifiedHeaders = (versioned: boolean) => (versioned ? made().versionedHeaders : made().headers);

  return {
    route,
    query,
    revalidated: cacheControl === cacheFor.revalidate,
    etag: () => made().etag,
    notModifiedHeaders,
    answer(wanted, versioned) {
      const encoded = made().body.encoded(compressible ? wanted : 'identity');
      const kept = versioned ? answers.versioned : answers.plain;
      const known = kept.get(encoded);
      if (known) return known;
      const answer = answerOf(type, notModifiedHeaders(versioned), encoded);
      kept.set(encoded, answer);
      return answer;
    },
    async prepare() {
      if (compressible) await made().body.compressWell();
    },
  };
}

function validators(etag: string, cacheControl: string): string[] {
  return ['ETag', etag, 'Cache-Control', cacheControl, 'Vary', 'Accept-Encoding'];
}

function answerOf(type: string, others: string[], { encoding, bytes }: EncodedBody): EncodedAnswer {
  const own = ['Content-Type', type, 'Content-Length', String(bytes.length)];
  if (encoding !== 'identity') own.push('Content-Encoding', encoding);
  return { headers: [...own, ...others], body: bytes };
}

/** @throws for unknown extensions, which `nosniff` would make unusable */
export function contentType(file: string): string {
  const type = mime.contentType(basename(file));
  if (type === false) throw new Error(`No content type is known for ${file}.`);
  return type;
}

function isText(type: string): boolean {
  return /^text\/|json|xml|icon/.test(type);
}
