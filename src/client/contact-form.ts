import { fragmentOf } from './fragment.ts';
import type { Load } from './load.ts';

/** Timeout in milliseconds. */
const patience = 20_000;

/** Retries have the same idempotency key. */
const noAnswer =
  'Ответа нет: похоже, пропала связь. Всё, что вы\u00A0написали, осталось на\u00A0месте. Отправьте ещё раз, второй заявки не\u00A0будет, или позвоните: ';

export function bind(element: HTMLElement, load: Load): void {
  const form = element as HTMLFormElement;
  const whole = form.closest('.contact') as HTMLElement;
  load(
    () => import('./attribution.ts'),
    ({ addAttribution }) => addAttribution(form),
  );
  form.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.dataset.mask || target.dataset.masked) return;
    target.dataset.masked = '';
    load(
      () => import('./mask.ts'),
      ({ bind }) => bind(target),
    );
  });

  const box = form.querySelector<HTMLElement>('#cf-turnstile');
  const consent = form.elements.namedItem('consent') as HTMLInputElement;

  /** Only after consent, and again if the widget is gone. */
  function challenge(): void {
    if (!box || box.firstChild || !consent.checked) return;
    box.hidden = false;
    load(
      () => import('./challenge.ts'),
      ({ bind }) => bind(box),
    );
  }
  form.addEventListener('change', challenge);
  form.addEventListener('focusin', challenge);
  challenge();

  let sending = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (sending) return;
    const sent = send();
    // Input made meanwhile would be lost to the response.
    wait(true);
    document.dispatchEvent(new CustomEvent('app:loading', { detail: sent }));
    sent.catch((reason) => {
      console.warn(reason);
      wait(false);
      sayNoAnswer();
    });
  });
  // Restored from the back/forward cache.
  addEventListener('pageshow', () => {
    if (!sending) return;
    wait(false);
    form.closest('dialog')?.close();
  });

  function wait(begins: boolean): void {
    sending = form.inert = begins;
  }

  async function send(): Promise<void> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), patience);
    const body = new URLSearchParams([...new FormData(form)] as [string, string][]);
    const answer = await fetch(form.action, { method: 'POST', body, signal: abort.signal });
    const page = await answer.text();
    clearTimeout(timer);
    if (answer.redirected) location.assign(answer.url);
    else if (answer.status === 422) showAnswer(page);
    // Other responses are pages of their own.
    else form.submit();
  }

  function showAnswer(page: string): void {
    const content = fragmentOf(page);
    const find = (selector: string) => content.querySelector(selector) as HTMLElement;
    const title = find('title').textContent as string;
    const dialog = form.closest('dialog');
    if (dialog) dialog.setAttribute('aria-label', title);
    else document.title = title;
    const next = find('.contact');
    whole.replaceWith(next);
    bind(next.querySelector('form') as HTMLElement, load);
  }

  function sayNoAnswer(): void {
    const notice = document.createElement('div');
    const words = document.createElement('p');
    notice.className = 'contact-notice';
    notice.setAttribute('role', 'alert');
    notice.tabIndex = -1;
    words.append(noAnswer, (whole.querySelector('[href^="tel:"]') as HTMLElement).cloneNode(true));
    notice.append(words);
    whole.querySelector('.contact-notice')?.remove();
    whole.prepend(notice);
    notice.focus();
  }

  // Unless the visitor has moved on.
  if (document.activeElement === document.body) whole.querySelector<HTMLElement>('[role="alert"]')?.focus();
}
