import { tone } from '../components/tone.ts';
import { afterPaint, isWebKit } from './browser.ts';
import { followedLink } from './page-links.ts';

/** Milliseconds. After `patience` the bar disappears: no browser reports that an answer was a download or a 204. */
const times = { run: 2000, hide: 500, reset: 400, patience: 10_000 };

const bar = document.createElement('div');
bar.className = 'loading-bar';
const { style } = bar;
let timer = 0;

/** Other modules send `app:loading` with a promise as detail. */
export function bind(): void {
  addEventListener('click', (event) => {
    const link = followedLink(event);
    if (!link) return;
    leave();
    if (!isWebKit()) return;
    // WebKit stops painting once navigation has started.
    event.preventDefault();
    afterPaint(() => location.assign(link.href));
  });
  addEventListener('submit', (event) => {
    if (!event.defaultPrevented && !(event.target as HTMLFormElement).target) leave();
  });
  document.addEventListener('app:loading', (event) => {
    start();
    (event as CustomEvent<Promise<unknown>>).detail.then(finish, fail);
  });
  const { navigation } = window as { navigation?: EventTarget };
  let failing = 0;
  // Cancelled, unless another navigation follows, as after a double click.
  navigation?.addEventListener('navigateerror', () => {
    if (bar.isConnected) failing = setTimeout(fail);
  });
  navigation?.addEventListener('navigate', () => clearTimeout(failing));
  // For the back/forward cache.
  addEventListener('pagehide', remove);
}

function leave(): void {
  start();
  timer = setTimeout(fade, times.patience);
}

function start(): void {
  clearTimeout(timer);
  style.cssText =
    'position:fixed;top:0;left:0;z-index:30;width:100%;height:8px;pointer-events:none;transform:scaleX(0);transform-origin:0';
  style.background = tone.accent;
  // An open dialog is in the top layer.
  (document.querySelector('dialog[open]') ?? document.body).append(bar);
  bar.getBoundingClientRect();
  move(0.9, times.run);
}

function finish(): void {
  clearTimeout(timer);
  move(1, 100);
  timer = setTimeout(fade, times.hide);
}

function fade(): void {
  style.opacity = '0';
  style.transition = `opacity ${times.reset}ms`;
  timer = setTimeout(remove, times.reset);
}

function fail(): void {
  style.background = tone.error;
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
