import { setTimeout } from 'node:timers/promises';
import { payloadPath } from './page-table.ts';
import type { SiteResponse } from './response.ts';
import type { Site } from './site.ts';

/** Requests wait for one page at most. */
const pauseBetweenPagesMs = 15;

type WarmableSite = Pick<Site, 'paths' | 'files'> & {
  find(path: string): Pick<SiteResponse, 'prepare'> | undefined;
};

/**
 * Pages come first.
 *
 * @param stopped whether another site is current
 */
export async function warmSite(
  site: WarmableSite,
  stopped: () => boolean,
  failed: (path: string, error: unknown) => void,
): Promise<void> {
  for (const path of [...site.paths, ...site.files, ...site.paths.map(payloadPath)]) {
    if (stopped()) return;
    try {
      await site.find(path)?.prepare();
    } catch (error) {
      failed(path, error);
    }
    await setTimeout(pauseBetweenPagesMs);
  }
}
