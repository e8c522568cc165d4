import { outdatedClass } from '../lib/outdated.ts';
import { shownBuild } from './build.ts';
import { fetchJson } from './fetch-json.ts';
import { followedLink } from './links.ts';

let running = shownBuild();
let outdated = false;

/**
 * Asks for the newest build. If it is another one than the page is of, other scripts
 * are told by `app:update`, once, and the next page comes past every cache.
 */
export function bind(): void {
  if (!outdated) compare().catch(console.error);
}

async function compare(): Promise<void> {
  const { id }: { id: string } = await fetchJson(`/builds/latest.json?${Date.now()}`, { cache: 'no-store' });
  // What the browser does not tell is learnt from the first answer.
  running ??= id;
  if (id === running || outdated) return;
  outdated = true;
  // The rules for fetching ahead know it: what was fetched by now is of the old build.
  document.documentElement.classList.add(outdatedClass);
  document.dispatchEvent(new CustomEvent('app:update', { bubbles: true, detail: { id } }));
  document.addEventListener('click', followAfresh);
}

function followAfresh(event: MouseEvent): void {
  const link = followedLink(event);
  if (!link) return;
  event.preventDefault();
  // Puts the new page into the place of the old one in every cache on the way.
  const loading = fetch(link.href, { cache: 'reload' });
  document.dispatchEvent(new CustomEvent('app:loading', { detail: loading }));
  loading.catch(console.error).then(() => location.assign(link.href));
}
