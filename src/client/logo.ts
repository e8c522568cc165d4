import { isPlain } from './page-links.ts';

export function logo(link: HTMLElement): void {
  link.addEventListener('click', (event) => {
    const menu = document.querySelector<HTMLDetailsElement>('.burger');
    if (menu) menu.open = false;
    if (location.pathname !== '/' || !isPlain(event)) return;
    event.preventDefault();
    // CSS makes it smooth.
    scrollTo(0, 0);
  });
}
