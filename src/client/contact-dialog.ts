import { modal } from './modal.ts';

/** Milliseconds after which a link is followed the ordinary way. */
const patience = 4000;

/** By address: a dialog that was closed keeps what was typed into it. */
const dialogs = new Map<string, Promise<() => void>>();

/** Links to the request form open it over the page. Whatever goes wrong, they are links. */
export function contactLinks(): void {
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="/contact?"]');
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const { href } = link;
    const dialog = dialogs.get(href) ?? load(href);
    dialogs.set(href, dialog);
    link.setAttribute('aria-busy', 'true');
    dialog
      .then((open) => open())
      .catch(() => location.assign(href))
      .finally(() => link.removeAttribute('aria-busy'));
  });
}

/** The form's own page is the source of the dialog: one markup, and a fresh key from the server. */
async function load(href: string): Promise<() => void> {
  const abort = new AbortController();
  setTimeout(() => abort.abort(), patience);
  const answer = await fetch(href, { signal: abort.signal });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const form = page.querySelector('.contact');
  if (!form) throw answer;
  const styles = new CSSStyleSheet();
  styles.replaceSync(page.querySelector('style')?.textContent ?? '');
  document.adoptedStyleSheets = [styles];
  const { dialog, open } = modal('modal-contact', page.title);
  dialog.append(form);
  return open;
}
