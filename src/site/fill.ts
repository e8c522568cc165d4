import { setTimeout } from 'node:timers/promises';
import { slices } from '../lib/slices.ts';
import type { Bodies } from './bodies.ts';
import { payloadPath } from './pages.ts';
import { missingPictures, type PictureFolders, type SitePicture } from './pictures.ts';
import type { SiteResponse } from './response.ts';
import type { Site } from './site.ts';

/** Milliseconds between two pages: visitors who come meanwhile wait for one at most. */
const breath = 15;

/** What filling needs of a site. */
export type FillableSite = Pick<Site, 'paths' | 'files'> & {
  find(path: string): Pick<SiteResponse, 'prepare'> | undefined;
};

/**
 * Makes everything of a site ready and small that nobody has asked for yet, pages first.
 *
 * @param bodies where it is kept; the work ends when they are full
 * @param stopped says whether another site has taken its place
 * @param failed told of what cannot be rendered; the rest goes on
 */
export async function fillSite(
  site: FillableSite,
  bodies: Bodies,
  stopped: () => boolean,
  failed: (path: string, error: unknown) => void,
): Promise<void> {
  for (const path of [...site.paths, ...site.files, ...site.paths.map(payloadPath)]) {
    if (stopped() || bodies.isFull()) return;
    try {
      await site.find(path)?.prepare();
    } catch (error) {
      failed(path, error);
    }
    await setTimeout(breath);
  }
}

/** Pictures of a site that are still to be made, found beside other work. */
export async function picturesToMake(site: Site, folders: PictureFolders): Promise<SitePicture[]> {
  const pause = slices();
  const pictures: SitePicture[] = [];
  for (const picture of site.pictures()) {
    pictures.push(picture);
    await pause();
  }
  return missingPictures(pictures, folders);
}
