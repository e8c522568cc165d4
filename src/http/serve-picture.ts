import { readFile } from 'node:fs/promises';
import type { RequestHandler } from 'express';
import { cacheFor } from '../lib/cache-for.ts';
import { memoized } from '../lib/lazy.ts';
import { contentType } from '../site/response.ts';
import { fileHeaders } from '../site/security-headers.ts';
import type { Site } from '../site/site.ts';
import { type PictureFolders, readPicture } from '../site/site-pictures.ts';
import { sendFile } from './send-file.ts';

/** EXIF in JPEG, PNG and WebP, and XMP, which may contain a location. */
const cameraMarks = ['Exif\0\0', 'eXIf', 'EXIF', 'http://ns.adobe.com/xap/1.0/'];

/** Until a picture is encoded, its original is sent uncached, unless it has camera metadata. */
export function servePictures(
  { picture: find }: Pick<Site, 'picture'>,
  folders: PictureFolders,
  siteUrl: string,
): RequestHandler {
  const security = fileHeaders(siteUrl);
  // An original may have 16 MB, and requests for it are not limited.
  const isUnmarked = memoized(unmarked);

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
    if (original === undefined || !(await isUnmarked(original))) {
      res.status(503).set('Retry-After', '10').end();
      return;
    }
    res.type(contentType(original));
    sendFile(res, original);
  };
}

/** Also `false` if the file cannot be read. */
async function unmarked(path: string): Promise<boolean> {
  try {
    const bytes = await readFile(path);
    return cameraMarks.every((mark) => !bytes.includes(mark));
  } catch {
    return false;
  }
}
