import { fragmentOf } from './fragment.ts';
import { adopt, type Modal, modal } from './modal.ts';
import { select } from './select.ts';

/** Then the promise of a call may be wrong. */
const maxAgeMs = 300_000;

/**
 * The opener of a dialog that cannot be had follows the link.
 *
 * @throws if the page has no form, or this page has the same form; `open` throws after the form was sent
 */
export function formDialog(html: string): Modal {
  const content = fragmentOf(html, true);
  const form = content.querySelector('.contact');
  if (!form) throw new Error('no form');
  if (document.querySelector('main .contact')) throw new Error('one form too many');
  // A second declaration would reload the face and shift text.
  adopt(select(content, 'style').textContent.replace(/@font-face\{[^}]*\}/g, ''));
  const heading = select(content, 'h2');
  const made = modal('modal-contact', heading.textContent);
  // Screen readers begin with what the dialog is, not with «Закрыть».
  heading.tabIndex = -1;
  heading.autofocus = true;
  const { dialog, open } = made;
  let readAt = Date.now();
  dialog.append(form);
  return {
    dialog,
    open() {
      if (dialog.querySelector('[data-sent]')) throw new Error('sent');
      open();
      if (Date.now() - readAt < maxAgeMs) return;
      readAt = Date.now();
      import('./dated.ts').then(({ refreshDated }) => refreshDated(dialog)).catch(console.error);
    },
  };
}
