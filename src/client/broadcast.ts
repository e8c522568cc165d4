import type { Load } from './load.ts';

/** `embed`: whether the policy lets this page show it. */
type State = { status: boolean; url: string; embed: boolean };

/** Asked once for both places of the header that show it. */
let state: Promise<State> | undefined;

/**
 * While a broadcast is on, the link says so, and opens the video as soon as what shows it is there; until then, and until
 * the state is known, it is what the page made it.
 */
export function broadcast(link: HTMLElement, load: Load): void {
  state ??= fetch('/video-broadcast').then((answer) => answer.json());
  state.then(({ status, url, embed }) => {
    if (!status) return;
    link.textContent = link.dataset.live as string;
    link.className = 'on-air';
    if (!embed) return;
    load(
      () => import('./broadcast-dialog.ts'),
      ({ bind }) => bind(link, url),
    );
  }, console.error);
}
