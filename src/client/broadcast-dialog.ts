import { afterPaint } from './browser.ts';
import { modal } from './modal.ts';
import { isPlain } from './page-links.ts';
import { player } from './player.ts';

const name = 'Прямая трансляция';

export function bind(link: HTMLElement, url: string): void {
  link.addEventListener('click', (event) => {
    const shown = isPlain(event) && player(url, name);
    if (!shown) return;
    event.preventDefault();
    afterPaint(() => show(shown));
  });
}

function show(player: Node): void {
  // A double click.
  if (document.querySelector('dialog')) return;
  const { dialog, open } = modal('modal-video', name);
  const { classList } = document.body;
  dialog.append(player);
  dialog.addEventListener('close', () => classList.remove('video-open'));
  classList.add('video-open');
  open();
}
