import { broadcast } from './broadcast.ts';
import { burger } from './burger.ts';
import { contactLinks } from './contact-dialog.ts';
import { dropdown } from './dropdown.ts';
import { logo } from './logo.ts';

/*
 * The hydration script: what pages do besides being read. Every element that it
 * binds to is a working link or native element without it.
 */

const modules: Record<string, (element: HTMLElement) => void> = { broadcast, burger, dropdown, logo };

/** One module that fails leaves the others alone. */
function start(module: () => void): void {
  try {
    module();
  } catch (error) {
    console.error(error);
  }
}

for (const element of document.querySelectorAll<HTMLElement>('[data-module]')) {
  start(() => modules[element.dataset.module as string]?.(element));
}
start(contactLinks);
