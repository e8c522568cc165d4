import { fileHeaders } from '../document/security-headers.ts';
import { cacheFor } from '../lib/cache-for.ts';
import type { Hash } from '../lib/hash.ts';
import { type PictureFolders, readPicture, type SitePicture } from '../site/pictures.ts';
import { type Answer, answerOf, contentType, etagOf, type SiteResponse, validators } from '../site/response.ts';
import type { Site } from '../site/site.ts';

/** Markers of EXIF in JPEG, PNG and WebP, and of XMP, which may contain a location. */
const cameraMarks = ['Exif\0\0', 'eXIf', 'EXIF', 'http://ns.adobe.com/xap/1.0/'];

/** Encoded pictures. Until one exists, the original is sent uncached, unless it has camera metadata. */
export function pictureResponses(
  site: Pick<Site, 'picture' | 'images' | 'read'>,
  folders: PictureFolders,
  siteUrl: string,
): (path: string) => SiteResponse | undefined {
  const security = fileHeaders(siteUrl);

  async function generalPicture(): Promise<Buffer | undefined> {
    const general = site.picture(site.images.share);
    return general && readPicture(general.file, folders);
  }

  function photograph(file: Hash): Buffer | undefined {
    const bytes = site.read(file);
    return cameraMarks.some((mark) => bytes.includes(mark)) ? undefined : bytes;
  }

  async function meanwhile({ file, original }: SitePicture): Promise<Answer | undefined> {
    const bytes = original ? photograph(original.file) : await generalPicture();
    if (bytes === undefined) return undefined;
    const type = contentType(original?.ending ?? '.png');
    const headers = { type, cacheControl: cacheFor.never, security };
    const etag = etagOf(headers, `${file} meanwhile`);
    return answerOf(type, validators(headers, etag), { encoding: 'identity', bytes });
  }

  return (path) => {
    const picture = site.picture(path);
    if (picture === undefined) return undefined;
    const type = contentType(path);
    const headers = { type, cacheControl: cacheFor.ever, security };
    const etag = etagOf(headers, picture.file);
    return {
      query: [],
      revalidated: false,
      etag: () => etag,
      unchanged: () => validators(headers, etag),
      async answer() {
        const bytes = await readPicture(picture.file, folders);
        return bytes ? answerOf(type, validators(headers, etag), { encoding: 'identity', bytes }) : meanwhile(picture);
      },
      async prepare() {},
    };
  };
}
