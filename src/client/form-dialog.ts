import { adopt } from './adopt.ts';
import { fragmentOf } from './fragment.ts';
import { type Modal, modal } from './modal.ts';

/** The request form of a page as a dialog over this one. @throws if that page has none */
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

/** The styles of another page, for this one, which looks the same under them. */
function stylesOf(css: string): string {
  const wide = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]')?.sheet?.cssRules ?? [];
  return (
    // The page has the display face: declared once more, it would be loaded once more, and lines would move.
    css.replace(/@font-face\{[^}]*\}/g, '') +
    // What is adopted comes after all that the page has, and in a wide window the rules for it must come last.
    Array.from(wide, ({ cssText }) => cssText).join('')
  );
}
