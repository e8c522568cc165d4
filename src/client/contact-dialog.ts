import { isPlain } from './links.ts';
import { type Modal, modal } from './modal.ts';

/** Milliseconds after which a link is followed the ordinary way. */
const patience = 4000;

/** By address: a dialog that was closed keeps what was typed into it. */
const dialogs = new Map<string, Promise<Modal>>();

/**
 * Links to the request form open it over the page. Whatever goes wrong, they are links.
 *
 * @param hydrate binds modules to what comes into the page
 */
export function contactLinks(hydrate: (root: ParentNode) => void): void {
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="/contact?"]');
    if (!link || !isPlain(event)) return;
    event.preventDefault();
    const { href } = link;
    const loaded = dialogs.get(href);
    const dialog = loaded ?? load(href);
    dialogs.set(href, dialog);
    if (!loaded) {
      document.dispatchEvent(new CustomEvent('app:loading', { detail: dialog }));
      dialog.then(({ dialog }) => hydrate(dialog), console.error);
    }
    link.setAttribute('aria-busy', 'true');
    dialog
      .then(({ open }) => open())
      .catch(() => location.assign(href))
      .finally(() => link.removeAttribute('aria-busy'));
  });
}

/** The form's own page is the source of the dialog: one markup, and a fresh key from the server. */
async function load(href: string): Promise<Modal> {
  const abort = new AbortController();
  setTimeout(() => abort.abort(), patience);
  const answer = await fetch(href, { signal: abort.signal });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const form = page.querySelector('.contact');
  if (!form) throw answer;
  const styles = new CSSStyleSheet();
  styles.replaceSync(page.querySelector('style')?.textContent ?? '');
  document.adoptedStyleSheets = [styles];
  const made = modal('modal-contact', page.title);
  made.dialog.append(form);
  return made;
}
