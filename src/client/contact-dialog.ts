import { afterPaint } from './after-paint.ts';
import { isPlain } from './links.ts';
import { type Modal, modal } from './modal.ts';

/** Milliseconds after which a link is followed the ordinary way. */
const patience = 4000;

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
          if (pressed === link) location.assign(href);
        })
        .finally(() => link.removeAttribute('aria-busy'));
    });
  });
}

/** The form's own page is the source of the dialog: one markup, and a fresh key from the server. */
async function load(href: string): Promise<Modal> {
  const abort = new AbortController();
  setTimeout(() => abort.abort(), patience);
  const answer = await fetch(href, { signal: abort.signal });
  // A document of its own would have its style block judged by the policy of this one.
  const { content } = Object.assign(document.createElement('template'), { innerHTML: await answer.text() });
  const find = (selector: string) => content.querySelector(selector) as HTMLElement;
  const form = find('.contact');
  if (!form) throw answer;
  const styles = new CSSStyleSheet();
  styles.replaceSync(find('style').textContent as string);
  document.adoptedStyleSheets = [styles];
  const made = modal('modal-contact', find('title').textContent as string);
  made.dialog.append(form);
  return made;
}
