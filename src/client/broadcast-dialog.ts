import styles from './broadcast-dialog.css';
import { afterPaint } from './browser.ts';
import { adopt, modal } from './modal.ts';
import { isPlain } from './page-links.ts';
import { player } from './player.ts';

const name = 'Прямая трансляция';

adopt(styles);

/** Then the broadcast may be over, and the page that the link opens says so. */
const maxAgeMs = 300_000;

export function bind(link: HTMLElement, url: string): void {
  const readAt = Date.now();
  link.addEventListener('click', (event) => {
    const shown = isPlain(event) && Date.now() - readAt < maxAgeMs && player(url, name);
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
