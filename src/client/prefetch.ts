import { connection } from './connection.ts';
import { pageLink } from './links.ts';
import { prerenderedPages } from './manifest.ts';

/** Concurrent requests. */
const parallel = 4;
/** Milliseconds of hover, as in moderate eagerness. */
const rest = 200;

export function bind(): void {
  const { saveData, effectiveType = '' } = connection();
  if (saveData || effectiveType.endsWith('2g')) return;
  const fetched = new Set<string>();
  let timer = 0;
  let running = 0;

  async function fetchPage(link: HTMLAnchorElement): Promise<void> {
    const path = link.pathname;
    if (link.search || fetched.has(path) || running === parallel) return;
    fetched.add(path);
    running += 1;
    try {
      if ((await prerenderedPages()).has(path)) await fetch(path, { priority: 'low' });
    } catch (error) {
      console.error(error);
    }
    running -= 1;
  }

  addEventListener('pointerover', ({ target }) => {
    clearTimeout(timer);
    const link = pageLink(target);
    if (link) timer = setTimeout(fetchPage, rest, link);
  });
  addEventListener('pointerdown', ({ target }) => {
    const link = pageLink(target);
    if (link) fetchPage(link);
  });
}
