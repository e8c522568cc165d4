import { isPlain } from './links.ts';

/** On the home page it scrolls to the top. */
export function logo(link: HTMLElement): void {
  link.addEventListener('click', (event) => {
    const menu = document.querySelector<HTMLDetailsElement>('.burger');
    if (menu) menu.open = false;
    if (location.pathname !== '/' || !isPlain(event)) return;
    event.preventDefault();
    // Smooth by CSS.
    scrollTo(0, 0);
  });
}
