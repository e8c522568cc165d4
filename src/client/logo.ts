import { isPlain } from './links.ts';

/** On the home page the logo leads to its top; elsewhere it is the link home that it looks like. */
export function logo(link: HTMLElement): void {
  link.addEventListener('click', (event) => {
    const menu = document.querySelector<HTMLDetailsElement>('.burger');
    if (menu) menu.open = false;
    if (location.pathname !== '/' || !isPlain(event)) return;
    event.preventDefault();
    // The style sheet decides whether that is smooth.
    scrollTo(0, 0);
  });
}
