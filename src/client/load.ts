/** For so long a page that was loaded anew is taken to be the newest there is, in milliseconds. */
const guard = 10_000;

export type Load = <T>(module: () => Promise<T>, use: (module: T) => void) => void;

/** One module after another, and none before the page itself is there. */
let queue = new Promise<unknown>((resolve) => addEventListener('load', resolve));

/** What the visitor has typed is worth more than any module; a page that finds fault with a form holds it, too. */
let typed = document.querySelector('[role="alert"]') !== null;
addEventListener('input', () => {
  typed = true;
});

/** Whether the visitor is on the way to another page, to which a page loaded anew would not let them. */
let leaving = false;
const mark = ({ type }: Event) => {
  leaving = type === 'beforeunload';
};
addEventListener('beforeunload', mark);
addEventListener('pageshow', mark);

/**
 * Loads a module that is not part of the first script, and uses it. One that cannot
 * be had has most likely made way for a newer build: then the page is loaded anew.
 */
export const load: Load = (module, use) => {
  queue = queue.then(() => module().then(use, loadPageAnew)).catch(console.error);
};

/** Once in ten seconds: a page whose modules fail again and again must stay readable. */
async function loadPageAnew(reason: unknown): Promise<void> {
  console.error(reason);
  if (typed || leaving || hasJustReloaded()) return;
  // Only if the page can be had: trouble must not take away what is on the screen.
  const { ok } = await fetch(location.href, { method: 'HEAD' });
  if (ok && !leaving) location.reload();
}

function hasJustReloaded(): boolean {
  try {
    const last = Number(sessionStorage.reloadedAt);
    sessionStorage.reloadedAt = Date.now();
    return Date.now() - last < guard;
  } catch {
    // Without storage, the page still knows whether it is there by a reload.
    const [visit] = performance.getEntriesByType('navigation') as [PerformanceNavigationTiming];
    return visit.type === 'reload';
  }
}
