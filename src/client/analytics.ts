/** `a` queues calls until the counter's script loads. */
type Metrika = { (...call: unknown[]): void; a: unknown[][] };

const page = window as { ym?: Metrika };

/** In localStorage. */
export const decisionKey = 'analytics';
export const allowed = 'allowed';

let counter = 0;
let decision: string | null = null;
let counting = false;
let loaded = false;
const reached = new Set<string>();

/** Consent applies to all tabs at once. */
export function bind(element: HTMLElement): void {
  counter = Number(element.dataset.counter);
  element.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest('button');
    if (button) decide(element, button.value);
  });
  // Captures, because other scripts may stop the event.
  addEventListener('click', ({ target }) => (target as Element).closest('[href^="tel:"]') && reach('call'), true);
  addEventListener('app:lead', () => reach('request'));
  new MutationObserver(reachShown).observe(document.body, { childList: true, subtree: true });
  addEventListener('storage', () => apply(element));
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    const before = counting;
    apply(element);
    // Metrika ignores pages from the back/forward cache.
    if (before && counting) page.ym?.(counter, 'hit', location.href);
  });
  element.hidden = false;
  apply(element);
}

function decide(element: HTMLElement, value: string): void {
  decision = value;
  try {
    localStorage.setItem(decisionKey, decision);
  } catch (error) {
    console.warn(error);
  }
  apply(element);
  // The pressed button is now hidden.
  element.querySelector<HTMLElement>('p:not([hidden])[tabindex]')?.focus();
}

function apply(element: HTMLElement): void {
  try {
    decision = localStorage.getItem(decisionKey);
  } catch {
    // Without storage the decision lasts for this page.
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
  // Also counts a page view.
  page.ym(counter, 'init', { clickmap: true, trackLinks: true, webvisor: true, trackHash: false });
  reachShown();
}

function stop(): void {
  if (counting) {
    counting = false;
    if (loaded) page.ym?.(counter, 'destruct');
    else if (page.ym) page.ym.a.length = 0;
  }
  forget();
}

function reach(goal: string): void {
  if (counting) page.ym?.(counter, 'reachGoal', goal);
}

function reachShown(): void {
  if (!counting) return;
  for (const { dataset } of document.querySelectorAll<HTMLElement>('[data-goal]')) {
    const goal = dataset.goal as string;
    if (!reached.has(goal)) reach(goal);
    reached.add(goal);
  }
}

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
      // Unreadable storage needs no cleaning.
    }
  }
}
