import type { Headers } from '../document/security-headers.ts';
import type { Hash } from '../lib/hash.ts';

/**
 * Value of `Server-Timing` by which a page learns which edition it is of. In the page
 * itself it cannot stand: the id is made of all pages, and a page that stays the same
 * keeps its ETag.
 */
export function editionTiming(id: string): string {
  return `edition;desc=${id}`;
}

/** How answers of one kind are sent; the same object for all of them. */
export type Profile = {
  type: string;
  cacheControl: string;
  /** Cache-Control when the query is the edition's id, for a payload. */
  versionedCacheControl?: string;
  /** Names of query parameters with which the page must be rendered on demand. */
  query: readonly string[];
  security: Headers;
};

/** One thing that an edition publishes: a body, or what is costly to make and follows later. */
export type Resource = {
  /** Address, as a browser asks for it. */
  path: string;
  profile: Profile;
} & ({ body: Buffer } | { hash: Hash } | { recipe: Recipe });

/** What a picture is made of; it is made once for all editions that show it. */
export type Recipe = PhotoRecipe | ShareRecipe;

/** A photograph in one width and format. */
export type PhotoRecipe = { photo: Hash; width: number; format: 'avif' | 'webp' };

/** What a shared link to a page shows. */
export type ShareRecipe = {
  label: string;
  title: string;
  company: string;
  phone: string;
  drawing: Hash;
  mark: Hash;
  /** Changes when the same words are painted in another way. */
  style: Hash;
};

/** Address of a page's picture. @param path of the page; without it, of the general picture */
export function sharePath(path: string | undefined, mark: string): string {
  const name = path === undefined ? 'site' : path.slice(1).replaceAll('/', '-') || 'home';
  return `/share/${name}.${mark}.png`;
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
  webp: 'image/webp',
  avif: 'image/avif',
  woff2: 'font/woff2',
  mp4: 'video/mp4',
  webmanifest: 'application/manifest+json',
  dat: 'application/octet-stream',
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

/** A file of the site, as it is. */
export function fileAt(path: string, body: Buffer | string, cacheControl: string, security: Headers): Resource {
  // Without a charset it is no page, and says what somebody else wrote.
  const type = contentType(path).replace(/(html);.*/, '$1');
  return { path, profile: { type, cacheControl, query: [], security }, body: Buffer.from(body) };
}
