import { fragmentOf } from './fragment.ts';
import type { Load } from './load-module.ts';

const requestTimeoutMs = 20_000;

/** Retries have the same idempotency key. */
const noAnswer =
  'Ответа нет: пропала связь или сайт перегружен. Всё, что вы\u00A0написали, осталось на\u00A0месте. Отправьте ещё раз, второй заявки не\u00A0будет, или позвоните: ';

export function bind(element: HTMLElement, load: Load): void {
  const form = element as HTMLFormElement;
  if (hasCampaign()) {
    load(
      () => import('./attribution.ts'),
      ({ addAttribution }) => addAttribution(form),
    );
  }
  maskPhone(form, load);
  showChallenge(form, load);
  sendInPlace(form, load);
  // Unless the visitor has moved on.
  if (document.activeElement === document.body) {
    document.querySelector<HTMLElement>('.contact [role=alert]')?.focus();
  }
}

/** The server reads those of this page. */
function hasCampaign(): boolean {
  try {
    return 'attribution' in localStorage;
  } catch {
    return false;
  }
}

function maskPhone(form: HTMLFormElement, load: Load): void {
  const phone = form.querySelector<HTMLInputElement>('[data-mask]');
  const bindMask = () =>
    load(
      () => import('./mask.ts'),
      ({ bind }) => bind(phone as HTMLInputElement),
    );
  phone?.addEventListener('focus', bindMask, { once: true });
}

/** After consent, and again if the widget is gone. */
function showChallenge(form: HTMLFormElement, load: Load): void {
  const box = form.querySelector<HTMLElement>('#cf-turnstile');
  const consent = form.elements.namedItem('consent') as HTMLInputElement;
  function show(): void {
    if (!box || box.firstChild || !consent.checked) return;
    box.hidden = false;
    load(
      () => import('./challenge.ts'),
      ({ bind }) => bind(box),
    );
  }
  form.addEventListener('change', show);
  form.addEventListener('focusin', show);
  show();
}

function sendInPlace(form: HTMLFormElement, load: Load): void {
  let sending = false;
  /** The response would discard input made meanwhile. */
  function wait(begins: boolean): void {
    sending = form.inert = begins;
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (sending) return;
    const sent = send(form, load);
    wait(true);
    document.dispatchEvent(new CustomEvent('app:loading', { detail: sent }));
    sent.catch((reason) => {
      console.warn(reason);
      wait(false);
      sayNoAnswer(form);
    });
  });
  // Restored from the back/forward cache.
  addEventListener('pageshow', () => {
    if (!sending) return;
    wait(false);
    form.closest('dialog')?.close();
  });
}

async function send(form: HTMLFormElement, load: Load): Promise<void> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), requestTimeoutMs);
  const body = new URLSearchParams([...new FormData(form)] as [string, string][]);
  const answer = await fetch(form.action, { method: 'POST', body, signal: abort.signal });
  const page = await answer.text();
  clearTimeout(timer);
  if (answer.redirected) {
    form.dataset.sent = '';
    // The receipt loads no counter, because its address is secret.
    dispatchEvent(new Event('app:lead'));
    location.assign(answer.url);
  } else showAnswer(form, page, load);
}

/** @throws if the page has no form, such as that of a proxy or of a limit */
function showAnswer(form: HTMLFormElement, html: string, load: Load): void {
  const dialog = form.closest('dialog');
  const page = fragmentOf(html, dialog !== null);
  const next = page.querySelector('.contact') as HTMLElement;
  const nextForm = next.querySelector('form') as HTMLElement;
  // A dialog is named by its heading, which stays.
  if (!dialog) document.title = (page.querySelector('title') as HTMLElement).textContent;
  (form.closest('.contact') as HTMLElement).replaceWith(next);
  bind(nextForm, load);
}

function sayNoAnswer(form: HTMLFormElement): void {
  const contact = form.closest('.contact') as HTMLElement;
  const phone = contact.querySelector('[href^=tel]') as HTMLElement;
  contact.querySelector('.contact-notice')?.remove();
  contact.insertAdjacentHTML(
    'afterbegin',
    `<div class="contact-notice" role="alert" tabindex="-1"><p>${noAnswer}${phone.outerHTML}</p></div>`,
  );
  (contact.firstElementChild as HTMLElement).focus();
}
