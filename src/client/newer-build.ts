import { latestBuild, shownBuild } from './builds.ts';
import { refreshDated } from './dated.ts';
import { followedLink } from './page-links.ts';

/** Until the link is followed without the newer page. */
const timeoutMs = 5_000;

/** Then what the page says of the time may be wrong. */
const maxAgeMs = 300_000;
let readAt = performance.timeOrigin;

let running = shownBuild();
let outdated = false;

/** Once there is a newer build, navigation bypasses caches. */
export function bind(): void {
  if (!outdated) compare().catch(console.error);
  if (Date.now() - readAt < maxAgeMs) return;
  readAt = Date.now();
  for (const root of document.querySelectorAll('main, dialog')) refreshDated(root).catch(console.error);
}

async function compare(): Promise<void> {
  const id = await latestBuild();
  // Without Server-Timing, the first response is the baseline.
  running ??= id;
  if (id === running || outdated) return;
  outdated = true;
  // Pages that are fetched ahead would be outdated.
  document.querySelector('script[type=speculationrules]')?.remove();
  document.dispatchEvent(new CustomEvent('app:update', { bubbles: true, detail: { id } }));
  document.addEventListener('click', followAfresh);
}

function followAfresh(event: MouseEvent): void {
  const link = followedLink(event);
  if (!link) return;
  event.preventDefault();
  // Also refreshes caches on the way.
  const abort = new AbortController();
  setTimeout(() => abort.abort(), timeoutMs);
  const loading = fetch(link.href, { cache: 'reload', signal: abort.signal });
  document.dispatchEvent(new CustomEvent('app:loading', { detail: loading }));
  loading.catch(console.error).then(() => location.assign(link.href));
}
