import type { Cache } from '../lib/cache.ts';
import { cacheFor } from '../lib/cache-for.ts';
import type { Content } from '../model/content.ts';
import type { PageView } from '../pages/page.ts';
import { type Address, addresses } from '../routes.ts';
import type { Render } from './document.tsx';
import { payloadOf } from './payload.ts';
import { contentType, response, type SiteResponse } from './response.ts';
import type { Headers } from './security-headers.ts';

export type PageTable = {
  addresses: readonly Address[];
  has(path: string): boolean;
  open(path: string): PageView;
};

export function pageTable(content: Content): PageTable {
  const byPath = new Map(addresses(content).map((address) => [address.path, address]));
  return {
    addresses: [...byPath.values()],
    has: (path) => byPath.has(path),
    open(path) {
      const address = byPath.get(path);
      const view = address?.page.open(content, address.params, {});
      if (view === undefined) throw new Error(`The page at ${path} is missing, or refuses to open.`);
      return view;
    },
  };
}

export function payloadPath(path: string): string {
  return `${path === '/' ? '' : path}/_payload.json`;
}

type PageResponseParts = { table: PageTable; render: Render; cache: Cache; security: Headers; buildId: string };

export function pageResponses({
  table,
  render,
  cache,
  security,
  buildId,
}: PageResponseParts): [string, SiteResponse][] {
  return table.addresses.flatMap(({ path, page }) => {
    const html = response({
      route: page.path,
      headers: { type: contentType('.html'), cacheControl: cacheFor.revalidate },
      make() {
        const { html, headers } = render(table.open(path));
        return { body: Buffer.from(html), security: headers };
      },
      query: page.query,
      cache,
      buildId,
    });
    const payload = response({
      route: 'payload',
      headers: {
        type: contentType('.json'),
        cacheControl: cacheFor.revalidate,
        versionedCacheControl: cacheFor.ever,
      },
      make: () => ({ body: Buffer.from(payloadOf(table.open(path).data)), security }),
      cache,
    });
    return [
      [path, html],
      [payloadPath(path), payload],
    ];
  });
}
