import { afterPaint } from './browser.ts';
import type { Modal } from './modal.ts';
import { isPlain } from './page-links.ts';

/** Then the link is followed. The form waits as long for its answer. */
const requestTimeoutMs = 20_000;
/** WebKit aborts requests before it fires `pagehide`. */
const unloadDelayMs = 500;

/** By address; closed dialogs keep their input. */
const dialogs = new Map<string, Promise<Modal>>();

/** @param hydrate binds modules inside the dialog */
export function contactLinks(hydrate: (root: ParentNode) => void): void {
  /** Only this link may still open something. */
  let pressed: HTMLAnchorElement | null;

  // Leaving aborts requests, which must not bring the visitor back.
  addEventListener('beforeunload', () => {
    pressed = null;
  });

  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a');
    if (!link || !isPlain(event)) return;
    pressed = link;
    if (!link.matches('[href^="/contact?"]')) return;
    event.preventDefault();
    link.setAttribute('aria-busy', 'true');
    afterPaint(() => {
      const { href } = link;
      let dialog = dialogs.get(href);
      if (!dialog) {
        dialog = load(href);
        dialogs.set(href, dialog);
        document.dispatchEvent(new CustomEvent('app:loading', { detail: dialog }));
        dialog.then(({ dialog }) => hydrate(dialog), console.error);
      }
      dialog
        .then(({ open }) => {
          if (pressed === link) open();
        })
        .catch(() => {
          dialogs.delete(href);
          setTimeout(() => {
            // Offline, a navigation would replace the page and its phone number.
            if (pressed === link && navigator.onLine) location.assign(href);
          }, unloadDelayMs);
        })
        .finally(() => link.removeAttribute('aria-busy'));
    });
  });
}

/** Uses the form's own page, with a fresh idempotency key. */
async function load(href: string): Promise<Modal> {
  const abort = new AbortController();
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => {
      reject('timeout');
      // Chromium's cache holds a navigation back for 20 s while the same address is being fetched.
      abort.abort();
    }, requestTimeoutMs);
  });
  const [{ formDialog }, answer] = await Promise.race([
    late,
    Promise.all([import('./form-dialog.ts'), fetch(href, abort).then((answer) => answer.text())]),
  ]);
  return formDialog(answer);
}
