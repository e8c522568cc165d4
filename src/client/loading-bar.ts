import { followedLink } from './links.ts';

/** Milliseconds. Browsers do not tell of every end: after `patience`, the next page is not to be expected any more. */
const times = { run: 2000, hide: 500, reset: 400, patience: 30_000 };

/**
 * A bar at the top that runs while the next page, or a part of this one, is on its
 * way. It ends with the page; what fails leaves it behind in the error colour.
 * Others make it run by an `app:loading` event whose detail is a promise.
 */
export function bind(): void {
  const bar = document.createElement('div');
  bar.className = 'loading-bar';
  const { style } = bar;
  let timer = 0;

  function start(): void {
    clearTimeout(timer);
    style.cssText =
      'position:fixed;top:0;left:0;z-index:30;width:100%;height:8px;pointer-events:none;transform:scaleX(0);transform-origin:0;background:var(--accent)';
    // Above a dialog there is only the dialog.
    (document.querySelector('dialog[open]') ?? document.body).append(bar);
    bar.getBoundingClientRect();
    move(0.9, times.run);
    timer = setTimeout(fail, times.patience);
  }

  function finish(): void {
    clearTimeout(timer);
    move(1, 100);
    timer = setTimeout(() => {
      style.opacity = '0';
      style.transition = `opacity ${times.reset}ms`;
      timer = setTimeout(remove, times.reset);
    }, times.hide);
  }

  function fail(): void {
    style.background = 'var(--error)';
    finish();
  }

  function move(width: number, time: number): void {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    style.transition = still ? '' : `transform ${time}ms cubic-bezier(0.1, 0.7, 0.3, 1)`;
    style.transform = `scaleX(${width})`;
  }

  function remove(): void {
    clearTimeout(timer);
    bar.remove();
  }

  addEventListener('click', (event) => {
    if (followedLink(event)) start();
  });
  addEventListener('submit', (event) => {
    if (!event.defaultPrevented) start();
  });
  document.addEventListener('app:loading', (event) => {
    start();
    (event as CustomEvent<Promise<unknown>>).detail.then(finish, fail);
  });
  const { navigation } = window as { navigation?: EventTarget };
  let failing = 0;
  // The visitor has stopped it, or there is nothing to go to; unless another one takes its place, as by a double click.
  navigation?.addEventListener('navigateerror', () => {
    if (bar.isConnected) failing = setTimeout(fail);
  });
  navigation?.addEventListener('navigate', () => clearTimeout(failing));
  // A page that comes back has arrived.
  addEventListener('pagehide', remove);
}
