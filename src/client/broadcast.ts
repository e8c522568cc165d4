import { embeddable, videoFile } from '../broadcast/player.ts';
import { afterPaint } from './after-paint.ts';
import { isPlain } from './links.ts';
import { modal } from './modal.ts';

type State = { status: boolean; url: string };

/** Asked once for both places of the header that show it. */
let state: Promise<State> | undefined;

/** Shows whether a broadcast is on now, whatever was on when the page was made; the link opens the video. */
export function broadcast(place: HTMLElement): void {
  const [text, link] = place.children as unknown as [HTMLElement, HTMLElement];
  state ??= fetch('/video-broadcast', { cache: 'no-store' }).then((answer) => answer.json());
  state.then(({ status, url }) => {
    text.hidden = status;
    link.hidden = !status;
    link.onclick = (event) => {
      if (!isPlain(event) || !embeddable.test(url)) return;
      event.preventDefault();
      // The menu around the link closes under the dialog; its button takes the focus.
      place.closest('details')?.querySelector('summary')?.focus();
      afterPaint(() => show(url));
    };
  }, console.error);
}

/** The player exists only while it is looked at. */
function show(url: string): void {
  const { dialog, open } = modal('modal-video', 'Прямая трансляция');
  const player = document.createElement(videoFile.test(url) ? 'video' : 'iframe');
  // A video takes no notice of what is for frames, nor the reverse.
  Object.assign(player, { src: url, controls: true, autoplay: true, allow: 'autoplay', allowFullscreen: true });
  dialog.append(player);
  dialog.addEventListener('close', () => document.body.classList.remove('video-open'));
  document.body.classList.add('video-open');
  open();
}
