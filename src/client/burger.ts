import { afterPaint } from './browser.ts';
import { lockScroll } from './scroll-lock.ts';

export function burger(element: HTMLElement): void {
  const menu = element as HTMLDetailsElement;
  const button = menu.querySelector('summary') as HTMLElement;

  // Paint the press first: laying out the menu is slow on phones.
  button.addEventListener('click', (event) => {
    event.preventDefault();
    afterPaint(() => {
      menu.open = !menu.open;
    });
  });
  menu.addEventListener('toggle', (event) => {
    if (event.target !== menu) return;
    lockScroll(menu.open);
    for (const list of menu.querySelectorAll<HTMLDetailsElement>('[open]')) list.open = menu.open;
  });
  menu.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    menu.open = false;
    button.focus();
  });
  menu.addEventListener('click', ({ target }) => {
    if (!(target as Element).closest('a')) return;
    menu.open = false;
    // A dialog gives the focus back to the button.
    button.focus();
  });
  // Tabbing out of the menu returns to the button.
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    if (menu.open && relatedTarget && !menu.contains(relatedTarget as Node)) button.focus();
  });
  // Rotation may hide the menu, which must then release the scroll lock.
  matchMedia('(min-width:64em)').onchange = () => {
    menu.open = false;
  };
}
