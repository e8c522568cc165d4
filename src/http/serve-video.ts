import { basename } from 'node:path';
import type { RequestHandler } from 'express';
import { cacheFor } from '../lib/cache-for.ts';
import { contentType } from '../site/response.ts';
import { fileHeaders } from '../site/security-headers.ts';
import type { Site } from '../site/site.ts';
import { sendParts } from './send-parts.ts';

/** Read from disk, in the ranges without which Safari plays nothing. */
export function serveVideos({ video: find }: Pick<Site, 'video'>, siteUrl: string): RequestHandler {
  const security = fileHeaders(siteUrl);

  return async (req, res, next) => {
    const file = find(req.path);
    if (file === undefined || (req.method !== 'GET' && req.method !== 'HEAD')) return next();
    res.locals.route = 'video';
    const type = contentType(req.path);
    // Strong, for If-Range; the name has the hash of the bytes.
    res.set({ ...security, 'Content-Type': type, 'Cache-Control': cacheFor.ever, ETag: `"${basename(req.path)}"` });
    await sendParts(req, res, file);
  };
}
