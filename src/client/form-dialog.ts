import { fragmentOf } from './fragment.ts';
import { adopt, type Modal, modal } from './modal.ts';

/** @throws if the page has no form */
export function formDialog(html: string): Modal {
  const content = fragmentOf(html);
  const find = (selector: string) => content.querySelector(selector) as HTMLElement;
  const form = find('.contact');
  if (!form) throw new Error('no form');
  adopt(stylesOf(find('style').textContent as string));
  const made = modal('modal-contact', find('title').textContent as string);
  made.dialog.append(form);
  return made;
}

function stylesOf(css: string): string {
  const wide = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]')?.sheet?.cssRules ?? [];
  return (
    // A second declaration would reload the face and shift text.
    css.replace(/@font-face\{[^}]*\}/g, '') +
    // Rules for wide windows must come after the adopted ones.
    Array.from(wide, ({ cssText }) => cssText).join('')
  );
}
