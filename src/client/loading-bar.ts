import { afterPaint } from './after-paint.ts';
import { isWebKit } from './engine.ts';
import { followedLink } from './links.ts';

/** Milliseconds. After `patience`, the next page is not to be expected any more. */
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

  /** @param href the page that is on its way, if it can be asked for */
  function start(href?: string): void {
    clearTimeout(timer);
    style.cssText =
      'position:fixed;top:0;left:0;z-index:30;width:100%;height:8px;pointer-events:none;transform:scaleX(0);transform-origin:0;background:var(--accent)';
    // Above a dialog there is only the dialog.
    (document.querySelector('dialog[open]') ?? document.body).append(bar);
    bar.getBoundingClientRect();
    move(0.9, times.run);
    timer = href ? setTimeout(ask, times.run, href) : setTimeout(fail, times.patience);
  }

  /** Not every browser tells of a page that was stopped, or of an answer that is none: what can be had is soon here. */
  async function ask(href: string): Promise<void> {
    const asked = setTimeout(fail, times.patience);
    timer = asked;
    await fetch(href, { method: 'HEAD' }).catch(console.error);
    if (timer !== asked) return;
    clearTimeout(timer);
    timer = setTimeout(fail, times.run);
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
    timer = 0;
    bar.remove();
  }

  addEventListener('click', (event) => {
    const link = followedLink(event);
    if (!link) return;
    start(link.href);
    if (!isWebKit()) return;
    // There nothing is painted any more once the next page has been asked for.
    event.preventDefault();
    afterPaint(() => location.assign(link.href));
  });
  addEventListener('submit', (event) => {
    if (!event.defaultPrevented && !(event.target as HTMLFormElement).target) start();
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
