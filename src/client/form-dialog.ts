import { fragmentOf } from './fragment.ts';
import { adopt, type Modal, modal } from './modal.ts';

/** @throws if the page has no form */
export function formDialog(html: string): Modal {
  const content = fragmentOf(html);
  const find = (selector: string) => content.querySelector(selector) as HTMLElement;
  const form = find('.contact');
  if (!form) throw new Error('no form');
  // A second declaration would reload the face and shift text.
  adopt((find('style').textContent as string).replace(/@font-face\{[^}]*\}/g, ''));
  const made = modal('modal-contact', find('title').textContent as string);
  made.dialog.append(form);
  return made;
}
