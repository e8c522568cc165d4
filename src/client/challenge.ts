/** The part of the Turnstile API in use. */
type Turnstile = { render(box: HTMLElement, options: object): string; remove(widget: string): void };

/** From Russia, connections to Cloudflare often freeze. */
const scriptTimeoutMs = 10_000;

const page = window as { turnstile?: Turnstile };

/** Shared by all forms. After a failure, the page does without: browsers would share a request that hangs. */
let api: Promise<Turnstile> | undefined;

/** Failures are only logged: the form works without a token. */
export function bind(box: HTMLElement): void {
  api ??= loadTurnstile();
  api.then((turnstile) => render(turnstile, box)).catch((error) => console.warn('challenge', error));
}

function loadTurnstile(): Promise<Turnstile> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.onerror = reject;
    setTimeout(reject, scriptTimeoutMs, 'timeout');
    script.onload = () => resolve(page.turnstile as Turnstile);
    script.src = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit';
    document.head.append(script);
  });
}

function render(turnstile: Turnstile, box: HTMLElement): void {
  if (box.firstChild || !box.isConnected) return;
  const widget = turnstile.render(box, {
    sitekey: box.dataset.sitekey,
    language: 'ru',
    size: box.clientWidth < 300 ? 'compact' : 'flexible',
    callback: () => console.info('challenge passed'),
    'error-callback': (code: string) => {
      console.warn('challenge', code);
      return true;
    },
  });
  // A detached widget breaks; a reopened dialog gets a new one.
  box.closest('dialog')?.addEventListener(
    'close',
    () => {
      turnstile.remove(widget);
      box.textContent = '';
    },
    { once: true },
  );
}
