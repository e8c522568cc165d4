import { isWebKit } from './browser.ts';
import { prerenderedPages } from './builds.ts';
import { pageLink } from './page-links.ts';

/** Concurrent requests. */
const parallel = 4;
/** As in moderate eagerness. */
const hoverMs = 200;

/** For browsers that do not know the page's speculation rules. */
export function bind(): void {
  const { saveData = false, effectiveType = '' } =
    (navigator as { connection?: { saveData?: boolean; effectiveType?: string } }).connection ?? {};
  // WebKit does not reuse prefetched pages.
  if (isWebKit() || saveData || effectiveType.endsWith('2g')) return;
  const fetched = new Set<string>();
  let pages: Promise<ReadonlySet<string>> | undefined;
  let timer = 0;
  let running = 0;

  async function fetchPage(link: HTMLAnchorElement): Promise<void> {
    const path = link.pathname;
    if (link.search || fetched.has(path) || running === parallel) return;
    fetched.add(path);
    running += 1;
    try {
      pages ??= prerenderedPages();
      if ((await pages).has(path)) await fetch(path, { priority: 'low' });
    } catch (error) {
      console.error(error);
    }
    running -= 1;
  }

  addEventListener('pointerover', ({ target }) => {
    clearTimeout(timer);
    const link = pageLink(target);
    if (link) timer = setTimeout(fetchPage, hoverMs, link);
  });
  addEventListener('pointerdown', ({ target }) => {
    const link = pageLink(target);
    if (link) fetchPage(link);
  });
}
