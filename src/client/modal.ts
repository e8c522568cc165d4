import { afterPaint } from './browser.ts';
import styles from './modal.css';
import { lockScroll } from './scroll-lock.ts';

// On import: without constructable style sheets there are no dialogs, and links stay links.
adopt(styles);

/** @throws without constructable style sheets */
export function adopt(css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

export type Modal = { dialog: HTMLDialogElement; open(): void };

/** In the document only while open, because two forms would share ids. @param name class of the dialog */
export function modal(name: string, label: string): Modal {
  const dialog = document.createElement('dialog');
  let pressedBehind = false;
  dialog.className = `modal ${name}`;
  dialog.setAttribute('aria-label', label);
  dialog.innerHTML = '<button type="button" class="modal-close">Закрыть</button>';
  // The backdrop, the dialog's margins and the end of a selection all target the dialog.
  dialog.onpointerdown = ({ target, clientX, clientY }) => {
    pressedBehind = false;
    // Measuring is slow on phones.
    if (target !== dialog) return;
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    pressedBehind = clientX < left || clientX > right || clientY < top || clientY > bottom;
  };
  dialog.onclick = ({ target }) => {
    if (target === dialog.firstChild || (pressedBehind && target === dialog)) afterPaint(() => dialog.close());
  };
  dialog.onclose = () => {
    lockScroll(false);
    dialog.remove();
  };
  return {
    dialog,
    open() {
      if (dialog.open) return;
      // Before showing, which forces a layout.
      lockScroll(true);
      document.body.append(dialog);
      dialog.showModal();
    },
  };
}
