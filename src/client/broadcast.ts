import { videoFile } from '../model/player.ts';
import { afterPaint } from './after-paint.ts';
import { isPlain } from './links.ts';
import { modal } from './modal.ts';

/** `embed`: whether the policy lets this page show it. */
type State = { status: boolean; url: string; embed: boolean };

/** Asked once for both places of the header that show it. */
let state: Promise<State> | undefined;

const name = 'Прямая трансляция';

/** While a broadcast is on, the link says so and opens the video; until that is known, it is what the page made it. */
export function broadcast(link: HTMLElement): void {
  state ??= fetch('/video-broadcast', { cache: 'no-store' }).then((answer) => answer.json());
  state.then(({ status, url, embed }) => {
    if (!status) return;
    link.textContent = name;
    link.className = 'on-air';
    link.onclick = (event) => {
      if (!isPlain(event) || !embed) return;
      event.preventDefault();
      // A menu around the link closes under the dialog; its button takes the focus.
      document.querySelector<HTMLElement>('.burger[open] > summary')?.focus();
      afterPaint(() => show(url));
    };
  }, console.error);
}

/** The player exists only while it is looked at. */
function show(url: string): void {
  const { dialog, open } = modal('modal-video', name);
  const player = document.createElement(videoFile.test(url) ? 'video' : 'iframe');
  // A video takes no notice of what is for frames, nor the reverse.
  Object.assign(player, { src: url, controls: true, autoplay: true, allow: 'autoplay', allowFullscreen: true });
  dialog.append(player);
  const { classList } = document.body;
  dialog.addEventListener('close', () => classList.remove('video-open'));
  classList.add('video-open');
  open();
}
