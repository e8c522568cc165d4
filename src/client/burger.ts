import { afterPaint } from './after-paint.ts';
import { lockScroll } from './scroll-lock.ts';

/** The menu of narrow screens: holds focus and the page still while it is open. */
export function burger(element: HTMLElement): void {
  const menu = element as HTMLDetailsElement;
  const button = menu.querySelector('summary') as HTMLElement;

  // The press is shown before the menu, which a slow phone needs a while to lay out.
  button.addEventListener('click', (event) => {
    event.preventDefault();
    afterPaint(() => {
      menu.open = !menu.open;
    });
  });
  menu.addEventListener('toggle', (event) => {
    if (event.target !== menu) return;
    lockScroll(menu.open);
    // A menu that is opened again starts from its top level.
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
  // Tabbing out at either end leads back to the button.
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    if (menu.open && relatedTarget && !menu.contains(relatedTarget as Node)) button.focus();
  });
  // A screen that was turned has room for the bar: a menu that is hidden must not hold the page.
  addEventListener('resize', () => {
    if (!menu.offsetParent) menu.open = false;
  });
}
