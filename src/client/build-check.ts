import { runningBuild } from './build.ts';
import { followedLink } from './links.ts';

let running = runningBuild();
let outdated = false;

/**
 * Asks for the newest build. If it is another one than the page is of, everybody is
 * told by `app:update`, once, and the next page comes past every cache.
 */
export function checkBuild(): void {
  if (!outdated) compare().catch(console.error);
}

async function compare(): Promise<void> {
  const answer = await fetch(`/builds/latest.json?${Date.now()}`, { cache: 'no-store' });
  const { id }: { id: string } = await answer.json();
  // What the browser does not tell is learnt from the first answer.
  running ??= id;
  if (id === running || outdated) return;
  outdated = true;
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
