/** What is used of Cloudflare Turnstile. */
type Turnstile = { render(box: HTMLElement, options: object): string; remove(widget: string): void };

const page = window as { turnstile?: Turnstile };

/** Loaded once for all forms of the page. */
let api: Promise<Turnstile> | undefined;

/**
 * Puts the widget into `box`, whose form sends its token along. Every failure is
 * only logged: the form works without.
 */
export function bind(box: HTMLElement): void {
  api ??= loadTurnstile();
  api
    .then((turnstile) => render(turnstile, box))
    .catch((error) => {
      api = undefined;
      console.warn('challenge', error);
    });
}

function loadTurnstile(): Promise<Turnstile> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.onerror = reject;
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
  // A widget does not survive being taken out of the page; a dialog that is opened again gets a new one.
  box.closest('dialog')?.addEventListener(
    'close',
    () => {
      turnstile.remove(widget);
      box.textContent = '';
    },
    { once: true },
  );
}
