import type { Router } from 'express';
import { cacheFor } from '../lib/cache-for.ts';
import type { Broadcast } from '../model/broadcast.ts';
import { isEmbeddable } from '../model/player-address.ts';
import { broadcastView } from '../pages/broadcast/broadcast.page.tsx';
import type { Site } from '../site/site.ts';
import { notFound } from './http-error.ts';
import { exactRouter, refusingOthers } from './router.ts';
import { sendDocument } from './send-document.ts';

type Options = {
  site: Site;
  broadcast: Broadcast;
};

export function broadcastRouter({ site, broadcast }: Options): Router {
  const router = exactRouter();
  router.get('/broadcast', async (req, res) => {
    if (site.content.company.broadcast === undefined) throw notFound(req.originalUrl);
    const view = broadcastView({
      content: site.content,
      still: site.images.placeholder,
      now: new Date(),
      ...(await broadcast.current()),
    });
    res.set('Cache-Control', cacheFor.revalidate);
    sendDocument(res, site.render(view));
  });
  return refusingOthers(router);
}

/** For the script of every page, so without headers that weigh more than the answer. */
export function broadcastState({ site, broadcast }: Options): Router {
  const router = exactRouter();
  router.get('/video-broadcast', async (_req, res) => {
    const state = await broadcast.current();
    const off = { status: false, url: site.images.placeholder.href };
    const { status, url = '' } = state;
    const on = { status, url, embed: isEmbeddable(url, site.content.integrations.videoHosts) };
    for (const name of res.getHeaderNames()) res.removeHeader(name);
    const body = JSON.stringify(status ? on : off);
    res.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': cacheFor.never,
      'X-Content-Type-Options': 'nosniff',
    });
    res.end(body);
  });
  return refusingOthers(router);
}
