import { modal } from './modal.ts';

type State = { status: boolean; url: string };

/** Asked once for both places of the header that show it. */
let state: Promise<State> | undefined;

/** While a broadcast is on, its place in the header is a button that opens the video. */
export function broadcast(place: HTMLElement): void {
  state ??= fetch('/video-broadcast', { cache: 'no-store' }).then((answer) => answer.json());
  state.then(({ status, url }) => {
    if (!status) return;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'broadcast-button';
    button.textContent = 'Прямая трансляция';
    button.onclick = () => show(url);
    place.replaceChildren(button);
  }, console.error);
}

/** The player exists only while it is looked at. */
function show(url: string): void {
  const { dialog, open } = modal('modal-video', 'Прямая трансляция');
  const file = /\.(mp4|webm|m3u8)([?#]|$)/.test(url);
  const player = document.createElement(file ? 'video' : 'iframe');
  player.src = url;
  if (player instanceof HTMLVideoElement) player.controls = player.autoplay = true;
  else player.allow = 'autoplay; fullscreen';
  dialog.append(player);
  dialog.addEventListener('close', () => {
    document.body.classList.remove('video-open');
    dialog.remove();
  });
  document.body.classList.add('video-open');
  open();
}
