import { isPlain } from './page-links.ts';
import { player } from './player.ts';

export function bind(link: HTMLElement): void {
  const { video = '', title = '' } = link.dataset;
  link.addEventListener('click', (event) => {
    const shown = isPlain(event) && player(video, title);
    if (!shown) return;
    event.preventDefault();
    const place = link.parentElement as HTMLElement;
    place.textContent = '';
    place.append(shown);
    (place.firstChild as HTMLElement).focus();
  });
}
