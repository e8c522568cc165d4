import { afterPaint } from './after-paint.ts';
import { isPlain } from './links.ts';
import { modal } from './modal.ts';
import { player } from './player.ts';

const name = 'Прямая трансляция';

/** Lets a link to the broadcast open it over the page; the player exists only while it is looked at. */
export function bind(link: HTMLElement, url: string): void {
  link.addEventListener('click', (event) => {
    const shown = isPlain(event) && player(url, name);
    if (!shown) return;
    event.preventDefault();
    // A menu around the link closes under the dialog; its button takes the focus.
    document.querySelector<HTMLElement>('.burger[open] > summary')?.focus();
    afterPaint(() => show(shown));
  });
}

function show(player: Node): void {
  // The second press of two.
  if (document.querySelector('dialog')) return;
  const { dialog, open } = modal('modal-video', name);
  const { classList } = document.body;
  dialog.append(player);
  dialog.addEventListener('close', () => classList.remove('video-open'));
  classList.add('video-open');
  open();
}
