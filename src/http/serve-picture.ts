import { fileHeaders } from '../document/security-headers.ts';
import { cacheFor } from '../lib/cache-for.ts';
import { type PictureFolders, readPicture, type SitePicture } from '../site/pictures.ts';
import { type Answer, contentType, etagOf, type HeaderSet, type SiteResponse } from '../site/response.ts';
import type { Site } from '../site/site.ts';

/**
 * Pictures that are made beside the server, as files. Until there is one, what it is made of is sent, and is not kept.
 *
 * @param folders where such files are looked for
 */
export function pictureResponses(
  site: Pick<Site, 'picture' | 'images' | 'read'>,
  folders: PictureFolders,
  siteUrl: string,
): (path: string) => SiteResponse | undefined {
  const security = fileHeaders(siteUrl);

  function listed(headers: HeaderSet, etag: string): string[] {
    return [
      'ETag',
      etag,
      'Cache-Control',
      headers.cacheControl,
      'Vary',
      'Accept-Encoding',
      ...Object.entries(security),
    ].flat();
  }

  function answerOf(headers: HeaderSet, etag: string, body: Buffer): Answer {
    return {
      headers: ['Content-Type', headers.type, 'Content-Length', String(body.length), ...listed(headers, etag)],
      body,
    };
  }

  async function meanwhile({ file, meanwhile }: SitePicture): Promise<Answer | undefined> {
    const general = meanwhile === 'general' ? site.picture(site.images.share) : undefined;
    const body =
      meanwhile === 'general' ? general && (await readPicture(general.file, folders)) : site.read(meanwhile.photo);
    if (body === undefined) return undefined;
    const type = contentType(meanwhile === 'general' ? '.png' : meanwhile.ending);
    const headers = { type, cacheControl: cacheFor.never, security };
    return answerOf(headers, etagOf(headers, `${file} meanwhile`), body);
  }

  return (path) => {
    const picture = site.picture(path);
    if (picture === undefined) return undefined;
    const headers = { type: contentType(path), cacheControl: cacheFor.ever, security };
    const etag = etagOf(headers, picture.file);
    return {
      query: [],
      revalidated: false,
      etag: () => etag,
      unchanged: () => listed(headers, etag),
      async answer() {
        const body = await readPicture(picture.file, folders);
        return body ? answerOf(headers, etag, body) : meanwhile(picture);
      },
      async prepare() {},
    };
  };
}
