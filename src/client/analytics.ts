import { allowed, decisionKey } from './analytics-decision.ts';

/** Calls wait in `a` until the counter's script has come, which reads them from there. */
type Metrika = { (...call: unknown[]): void; a: unknown[][] };

const page = window as { ym?: Metrika };

/**
 * Counts visits by Yandex Metrika for visitors who allow it, and asks those who have
 * not decided. A decision holds in every tab, and at once.
 */
export function bind(element: HTMLElement): void {
  const counter = Number(element.dataset.counter);
  let decision: string | null = null;
  let counting = false;
  let loaded = false;
  /** Goals that this page has told of. */
  const reached = new Set<string>();

  /** Shows and does what was decided, here, in another tab or on another page. */
  function apply(): void {
    try {
      decision = localStorage.getItem(decisionKey);
    } catch {
      // Without storage, the answer holds for this page.
    }
    for (const state of element.children as HTMLCollectionOf<HTMLElement>) {
      state.hidden = state.dataset.decision !== (decision ?? '');
    }
    if (decision === allowed) start();
    else stop();
  }

  function start(): void {
    if (counting) return;
    counting = true;
    if (!page.ym) {
      const ym: Metrika = (...call) => ym.a.push(call);
      ym.a = [];
      page.ym = ym;
      const script = document.createElement('script');
      script.onload = () => {
        loaded = true;
      };
      script.src = 'https://mc.yandex.ru/metrika/tag.js';
      document.head.append(script);
    }
    // Counts the page as well.
    page.ym(counter, 'init', { clickmap: true, trackLinks: true, webvisor: true, trackHash: false });
    reachShown();
  }

  function reach(goal: string): void {
    if (counting) page.ym?.(counter, 'reachGoal', goal);
  }

  /** Tells of what is on the page that is a goal by itself, once of each. */
  function reachShown(): void {
    if (!counting) return;
    for (const { dataset } of document.querySelectorAll<HTMLElement>('[data-goal]')) {
      const goal = dataset.goal as string;
      if (!reached.has(goal)) reach(goal);
      reached.add(goal);
    }
  }

  function stop(): void {
    if (counting) {
      counting = false;
      if (loaded) page.ym?.(counter, 'destruct');
      // What has not begun must not begin.
      else if (page.ym) page.ym.a.length = 0;
    }
    forget();
  }

  element.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest('button');
    if (!button) return;
    decision = button.value;
    try {
      localStorage.setItem(decisionKey, decision);
    } catch (error) {
      console.warn(error);
    }
    apply();
    // The pressed button is gone.
    element.querySelector<HTMLElement>('p:not([hidden])[tabindex]')?.focus();
  });
  // A press may lead away, or be taken by another script, and still be a call.
  addEventListener('click', ({ target }) => (target as Element).closest('[href^="tel:"]') && reach('call'), true);
  new MutationObserver(reachShown).observe(document.body, { childList: true, subtree: true });
  addEventListener('storage', apply);
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    const before = counting;
    apply();
    // A page that the browser brings back is on the screen once more; the counter does not notice by itself.
    if (before && counting) page.ym?.(counter, 'hit', location.href);
  });
  element.hidden = false;
  apply();
}

/** Removes what the counter keeps on this site. */
function forget(): void {
  const domains = location.hostname.split('.').map((_, index, labels) => labels.slice(index).join('.'));
  for (const [, name] of document.cookie.matchAll(/(?:^|; )(_ym[^=]*)/g)) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing from browsers that must be supported
    for (const domain of ['', ...domains]) document.cookie = `${name}=;max-age=0;path=/;domain=${domain}`;
  }
  for (const storage of ['localStorage', 'sessionStorage'] as const) {
    try {
      for (const name of Object.keys(window[storage])) if (/^_+ym/.test(name)) window[storage].removeItem(name);
    } catch {
      // A storage that cannot be read holds nothing.
    }
  }
}
