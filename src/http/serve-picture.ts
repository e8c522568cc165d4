import type { RequestHandler } from 'express';
import { fileHeaders } from '../document/security-headers.ts';
import { cacheFor } from '../lib/cache-for.ts';
import { type PictureFolders, readPicture, type SitePicture } from '../site/pictures.ts';
import { contentType } from '../site/response.ts';
import type { Site } from '../site/site.ts';

/** EXIF in JPEG, PNG and WebP, and XMP, which may contain a location. */
const cameraMarks = ['Exif\0\0', 'eXIf', 'EXIF', 'http://ns.adobe.com/xap/1.0/'];

/** Until a picture is encoded, its original is sent uncached, unless it has camera metadata. */
export function servePictures(
  { picture: find, read }: Pick<Site, 'picture' | 'read'>,
  folders: PictureFolders,
  siteUrl: string,
): RequestHandler {
  const security = fileHeaders(siteUrl);

  function originalOf({ original }: SitePicture): Buffer | undefined {
    try {
      const bytes = original && read(original.file);
      return cameraMarks.some((mark) => bytes?.includes(mark)) ? undefined : bytes;
    } catch {
      return undefined;
    }
  }

  return async (req, res, next) => {
    const picture = find(req.path);
    if (picture === undefined || (req.method !== 'GET' && req.method !== 'HEAD')) return next();
    res.set(security);
    const encoded = await readPicture(picture.file, folders);
    if (encoded) {
      res.set({ 'Cache-Control': cacheFor.ever, 'Content-Type': contentType(req.path) }).send(encoded);
      return;
    }
    const original = originalOf(picture);
    res.set('Cache-Control', cacheFor.never);
    if (original === undefined) res.status(503).set('Retry-After', '10').end();
    else res.type(contentType(picture.original?.ending ?? '')).send(original);
  };
}
