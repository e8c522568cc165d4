import type { Renderer } from '../document/document.tsx';
import type { Page, View } from '../document/page.ts';
import { fileHeaders } from '../document/security-headers.ts';
import { cacheFor } from '../lib/cache-for.ts';
import { memoized } from '../lib/lazy.ts';
import type { Content } from '../model/content.ts';
import { type Address, addresses } from '../routes.ts';
import type { Bodies } from './bodies.ts';
import { contentType, type HeaderSet, response, type SiteResponse } from './response.ts';

export type PageTable = {
  /** Without queries. */
  paths: readonly string[];
  has(path: string): boolean;
  /** @throws if it is missing */
  open(path: string): View;
  at(path: string): Address | undefined;
};

export function pageTable(content: Content): PageTable {
  const table = new Map(addresses(content).map((address) => [address.path, address]));
  return {
    paths: [...table.keys()],
    has: (path) => table.has(path),
    at: (path) => table.get(path),
    open(path) {
      const address = table.get(path);
      const view = address?.page.open(content, address.params, {});
      if (view === undefined) throw new Error(`The page at ${path} is missing, or refuses to open.`);
      return view;
    },
  };
}

/** Appended to the page's address. */
const payloadName = '/_payload.json';

export function payloadPath(path: string): string {
  return (path === '/' ? '' : path) + payloadName;
}

type Parts = { table: PageTable; renderer: Renderer; bodies: Bodies; siteUrl: string; buildId: string };
type Responses = { page: SiteResponse; payload: SiteResponse };

/** Rendered on first use. */
export function pageResponses(parts: Parts): (path: string) => SiteResponse | undefined {
  const { table, renderer, bodies, siteUrl, buildId } = parts;
  const known = new Map<string, Responses>();
  const pageHeaders = memoized((page: Page): HeaderSet => {
    return { type: contentType('.html'), cacheControl: cacheFor.revalidate, security: renderer.headersOf(page) };
  });
  const payloadHeaders: HeaderSet = {
    type: contentType('.json'),
    cacheControl: cacheFor.revalidate,
    versionedCacheControl: cacheFor.ever,
    security: fileHeaders(siteUrl),
  };

  function made({ path, page }: Address): Responses {
    return {
      page: response({
        headers: pageHeaders(page),
        make: () => Buffer.from(renderer.render(table.open(path)).html),
        query: page.query,
        bodies,
        buildId,
      }),
      payload: response({
        headers: payloadHeaders,
        make: () => Buffer.from(JSON.stringify(table.open(path).data)),
        bodies,
      }),
    };
  }

  /** Both addresses of an article share it. */
  function responsesAt(path: string): Responses | undefined {
    const before = known.get(path);
    if (before) return before;
    const address = table.at(path);
    if (address === undefined) return undefined;
    const canonical = table.open(path).head.path;
    const responses = (canonical !== path && responsesAt(canonical)) || made(address);
    known.set(path, responses);
    return responses;
  }

  return (path) => {
    if (!path.endsWith(payloadName)) return responsesAt(path)?.page;
    return responsesAt(path.slice(0, -payloadName.length) || '/')?.payload;
  };
}
