import { followedLink } from './links.ts';

/** Milliseconds. */
const times = { run: 2000, hide: 500, reset: 400 };

/**
 * A bar at the top that runs while the next page, or a part of this one, is on its
 * way. It ends with the page; what fails leaves it behind in the error colour.
 * Others make it run by an `app:loading` event whose detail is a promise.
 */
export function loadingBar(): void {
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
  }

  function finish(): void {
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
    style.transition = `transform ${time}ms cubic-bezier(0.1, 0.7, 0.3, 1)`;
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
  // Somebody has stopped it, or there is nothing to go to.
  (window as { navigation?: EventTarget }).navigation?.addEventListener('navigateerror', () => {
    if (bar.isConnected) fail();
  });
  // A page that comes back has arrived.
  addEventListener('pagehide', remove);
}
