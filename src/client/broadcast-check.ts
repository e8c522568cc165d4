import { type Load, painted } from './load-module.ts';

/** `embed`: the content security policy allows a frame. */
type State = { status: boolean; url: string; embed: boolean };

/** Shared by both links in the header. */
let state: Promise<State> | undefined;

export function broadcast(link: HTMLElement, load: Load): void {
  state ??= painted.then(() => fetch('/video-broadcast')).then((answer) => answer.json());
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
