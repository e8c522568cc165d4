import { afterPaint } from './browser.ts';

const minReloadIntervalMs = 10_000;

export type Load = <T>(module: () => Promise<T>, use: (module: T) => void) => void;

/** Nothing is fetched before the page is there and painted. */
export const painted: Promise<void> = new Promise((resolve) => {
  addEventListener('load', () => afterPaint(resolve));
});
/** One module at a time. */
let queue: Promise<unknown> = painted;

/** A reload must not discard input or a form with errors. */
let typed = document.querySelector('[role="alert"]') !== null;
addEventListener('input', () => {
  typed = true;
});

/** A reload would cancel the visitor's navigation. */
let leaving = false;
const mark = ({ type }: Event) => {
  leaving = type === 'beforeunload';
};
addEventListener('beforeunload', mark);
addEventListener('pageshow', mark);

/** A failed import most likely means a newer build, so the page reloads. */
export const load: Load = (module, use) => {
  queue = queue.then(() => module().then(use, loadPageAnew)).catch(console.error);
};

/** Limited, so that the page stays readable. */
async function loadPageAnew(reason: unknown): Promise<void> {
  console.error(reason);
  if (typed || leaving || hasJustReloaded()) return;
  // A server error must not replace a working page.
  const { ok } = await fetch(location.href, { method: 'HEAD' });
  if (ok && !leaving) location.reload();
}

function hasJustReloaded(): boolean {
  try {
    const last = Number(sessionStorage.reloadedAt);
    sessionStorage.reloadedAt = Date.now();
    return Date.now() - last < minReloadIntervalMs;
  } catch {
    // Without storage, a reloaded page does not reload again.
    const [visit] = performance.getEntriesByType('navigation') as [PerformanceNavigationTiming];
    return visit.type === 'reload';
  }
}
