import type { Router } from 'express';
import { LRUCache } from 'lru-cache';
import { cacheFor } from '../lib/cache-for.ts';
import type { QueryValues } from '../pages/page.ts';
import { pagesOf } from '../routes.ts';
import type { Document } from '../site/document.tsx';
import type { Site } from '../site/site.ts';
import { searchOf } from './canonical.ts';
import { invalidPath } from './http-error.ts';
import { exactRouter, refusingOtherMethods } from './router.ts';
import { sendDocument } from './send-document.ts';

/** At about 30 KB each. */
const maxCachedDocuments = 500;

/** Pages with a query, which are not prerendered. The cache cannot go stale, because each site has its own router. */
export function dynamicPages({ content, render }: Site): Router {
  const router = exactRouter();
  const cache = new LRUCache<string, Document>({ max: maxCachedDocuments });
  for (const page of pagesOf(content)) {
    router.route(page.path).get(async (req, res) => {
      const query = readQuery(page.query, req.originalUrl);
      const key = JSON.stringify([req.path, query]);
      let document = cache.get(key);
      if (document === undefined) {
        await page.prepare?.(content);
        const view = query && page.open(content, req.params as Record<string, string>, query);
        if (view === undefined) throw invalidPath(req.originalUrl);
        document = render(view);
        cache.set(key, document);
      }
      res.set('Cache-Control', cacheFor.revalidate);
      sendDocument(res, document);
    });
  }
  return refusingOtherMethods(router);
}

function readQuery(names: readonly string[], url: string): QueryValues | undefined {
  const parameters = new URLSearchParams(searchOf(url));
  const query: Record<string, string | undefined> = {};
  for (const name of names) {
    const [value, ...more] = parameters.getAll(name);
    if (more.length > 0) return undefined;
    query[name] = value;
  }
  return query;
}
