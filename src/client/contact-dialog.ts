import { afterPaint } from './after-paint.ts';
import { isPlain } from './links.ts';
import type { Modal } from './modal.ts';

/** Milliseconds after which a link is followed the ordinary way. */
const patience = 4000;
/** Milliseconds until a page is known to be left: going back, WebKit ends what is on its way some time before it tells. */
const doubt = 500;

/** By address: a dialog that was closed keeps what was typed into it. */
const dialogs = new Map<string, Promise<Modal>>();

/**
 * Links to the request form open it over the page. If that fails, they are links.
 *
 * @param hydrate binds modules to what comes into the page
 */
export function contactLinks(hydrate: (root: ParentNode) => void): void {
  /** What the visitor has pressed last: only that may still open something. */
  let pressed: HTMLAnchorElement | null;

  // Leaving ends what is still on its way, and that must not bring anybody back.
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
            if (pressed === link) location.assign(href);
          }, doubt);
        })
        .finally(() => link.removeAttribute('aria-busy'));
    });
  });
}

/** The form's own page is the source of the dialog: one markup, and a fresh key from the server. */
async function load(href: string): Promise<Modal> {
  const late = new Promise<never>((_, reject) => setTimeout(reject, patience, 'timeout'));
  const [{ formDialog }, answer] = await Promise.race([
    late,
    Promise.all([import('./form-dialog.ts'), fetch(href).then((answer) => answer.text())]),
  ]);
  return formDialog(answer);
}
