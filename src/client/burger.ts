import { afterPaint } from './browser.ts';
import { lockScroll } from './scroll-lock.ts';

const debounceMs = 50;

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
    // The menu reopens at its top level.
    if (!menu.open) for (const list of menu.querySelectorAll('details')) list.open = false;
  });
  menu.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    menu.open = false;
    button.focus();
  });
  menu.addEventListener('click', ({ target }) => {
    if ((target as Element).closest('a')) menu.open = false;
  });
  // Tabbing out of the menu returns to the button.
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    if (menu.open && relatedTarget && !menu.contains(relatedTarget as Node)) button.focus();
  });
  // Rotation may hide the menu, which must then release the scroll lock.
  let timer = 0;
  addEventListener('resize', () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!menu.offsetParent) menu.open = false;
    }, debounceMs);
  });
}
