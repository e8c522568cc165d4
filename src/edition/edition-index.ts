import type { Headers } from '../document/security-headers.ts';
import type { Redirect } from '../site/content.ts';
import type { SiteImages } from './prerender.ts';

/** One address of an edition, as its index lists it. */
export type IndexEntry = {
  path: string;
  file: string;
  type: string;
  /** Weak, because it names the page in every encoding. */
  etag: string;
  /** Bytes of the body as it is. */
  length: number;
  /** Bytes that it takes in `bodies`: as br, as gzip, as it is; 0 where there is no such body. */
  stored: readonly number[];
  cacheControl: string;
  versionedCacheControl?: string;
  /** Names of query parameters with which the page must be rendered on demand. */
  query: readonly string[];
  /** Position in `security` of the headers that protect this answer. */
  security: number;
};

/** `index.json`: what a server must know of an edition before the first request. */
export type EditionIndex = {
  id: string;
  timestamp: number;
  /** Hash of what the edition was made from; another one means that it is stale. */
  inputs: string;
  /** ISO 8601, UTC: from then on the same inputs make another edition; `null` if they never do. */
  until: string | null;
  /** True while the company's facts are the invented ones that ship. */
  demo: boolean;
  prerendered: readonly string[];
  redirects: readonly Redirect[];
  images: SiteImages;
  security: readonly Headers[];
  entries: readonly IndexEntry[];
};
