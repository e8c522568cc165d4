import { offerDictionary } from './dictionary.ts';
import type { Load } from './load.ts';

/** Prepares for the next page, as far as the browser does not do so by itself. */
export function bind(_page: HTMLElement, load: Load): void {
  offerDictionary();
  // Browsers that know speculation rules have them from a header.
  if (HTMLScriptElement.supports?.('speculationrules')) return;
  load(
    () => import('./prefetch.ts'),
    ({ bind }) => bind(),
  );
}
