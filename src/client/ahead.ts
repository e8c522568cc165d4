import { isWebKit } from './engine.ts';
import type { Load } from './load.ts';

export function bind(_page: HTMLElement, load: Load): void {
  // Speculation rules come in a header; WebKit does not reuse prefetched pages.
  if (HTMLScriptElement.supports?.('speculationrules') || isWebKit()) return;
  load(
    () => import('./prefetch.ts'),
    ({ bind }) => bind(),
  );
}
