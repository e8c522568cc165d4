import { adopt } from './adopt.ts';
import { afterPaint } from './after-paint.ts';
import styles from './modal.css';
import { lockScroll } from './scroll-lock.ts';

// Here, so that a browser that cannot has no dialogs, and links stay links.
adopt(styles);

export type Modal = { dialog: HTMLDialogElement; open(): void };

/**
 * A dialog over the page; native, so that focus moves in, stays in and returns,
 * and Escape closes it. A press on what is behind closes it too. It is part of the
 * page only while it is open, for two forms in one page would share their ids.
 *
 * @param name class of the dialog
 */
export function modal(name: string, label: string): Modal {
  const dialog = document.createElement('dialog');
  let pressedBehind = false;
  dialog.className = `modal ${name}`;
  dialog.setAttribute('aria-label', label);
  dialog.innerHTML = '<button type="button" class="modal-close">Закрыть</button>';
  // What is behind belongs to the dialog, too; so do its margins, and the end of a selection that began inside.
  dialog.onpointerdown = ({ target, clientX, clientY }) => {
    pressedBehind = false;
    // Measuring takes a slow phone long, and a press inside need not wait for it.
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
      // First, because showing measures the page.
      lockScroll(true);
      document.body.append(dialog);
      dialog.showModal();
    },
  };
}
