import type { Headers } from '../document/security-headers.ts';

/** What may be kept of an answer, and for how long. */
export const cacheFor = {
  /** Kept, but asked about each time; the answer is mostly a 304. */
  revalidate: 'no-cache',
  /** The address changes when the bytes do. */
  ever: 'public, max-age=31536000, immutable',
  /** Files with a fixed name that change rarely: icons. */
  hour: 'public, max-age=3600',
  /** Never kept at all. */
  never: 'no-store',
} as const;

/**
 * Value of `Server-Timing` by which a page learns which edition it is of. In the page
 * itself it cannot stand: the id is made of all pages, and a page that stays the same
 * keeps its ETag.
 */
export function editionTiming(id: string): string {
  return `edition;desc=${id}`;
}

/** One thing that an edition publishes, not yet compressed. */
export type Resource = {
  /** Address, as a browser asks for it. */
  path: string;
  /** Address on disk within the site's folder. */
  file: string;
  type: string;
  body: Buffer;
  cacheControl: string;
  /** Cache-Control when the query is the edition's id, for a payload. */
  versionedCacheControl?: string;
  /** Names of query parameters with which the page must be rendered on demand. */
  query: readonly string[];
  security: Headers;
};

/** One thing that is costly to make, and made only if no build has made it before. Its address holds a hash of all that it is made from. */
export type MadeResource = Omit<Resource, 'body'> & { make(): Promise<Buffer> };

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
  const ending = file.slice(file.lastIndexOf('.') + 1);
  const type = types[ending];
  if (type === undefined)
    throw new Error(`No content type is known for ${file}; add its ending to edition/resource.ts.`);
  return type;
}
