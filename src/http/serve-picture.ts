import type { RequestHandler } from 'express';
import { cacheFor } from '../lib/cache-for.ts';
import { contentType } from '../site/response.ts';
import { fileHeaders } from '../site/security-headers.ts';
import type { Site } from '../site/site.ts';
import { type PictureFolders, readPicture } from '../site/site-pictures.ts';
import { sendParts } from './send-parts.ts';

/** Until a picture is encoded, its original is sent uncached. */
export function servePictures(
  { picture: find }: Pick<Site, 'picture'>,
  folders: PictureFolders,
  siteUrl: string,
): RequestHandler {
  const security = fileHeaders(siteUrl);

  return async (req, res, next) => {
    const picture = find(req.path);
    if (picture === undefined || (req.method !== 'GET' && req.method !== 'HEAD')) return next();
    res.locals.route = 'picture';
    res.set(security);
    const encoded = await readPicture(picture.file, folders);
    if (encoded) {
      res.set({ 'Cache-Control': picture.cacheControl, 'Content-Type': contentType(req.path) }).send(encoded);
      return;
    }
    const { original } = picture;
    res.set('Cache-Control', cacheFor.never);
    if (original === undefined) res.status(503).set('Retry-After', '10').end();
    else if (Buffer.isBuffer(original)) res.type('svg').send(original);
    else await sendParts(req, res.type(contentType(original.path)), original);
  };
}
