import { isWebKit } from './engine.ts';
import type { Load } from './load.ts';

/** Prepares for the next page, as far as the browser does not do so by itself. */
export function bind(_page: HTMLElement, load: Load): void {
  // Browsers that know speculation rules have them from a header; WebKit would fetch a page once more to show it.
  if (HTMLScriptElement.supports?.('speculationrules') || isWebKit()) return;
  load(
    () => import('./prefetch.ts'),
    ({ bind }) => bind(),
  );
}
