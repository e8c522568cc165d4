import { lockScroll } from './scroll-lock.ts';

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
  const close = document.createElement('button');
  dialog.className = `modal ${name}`;
  dialog.setAttribute('aria-label', label);
  close.type = 'button';
  close.className = 'modal-close';
  close.textContent = 'Закрыть';
  close.onclick = () => dialog.close();
  dialog.append(close);
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  dialog.addEventListener('close', () => {
    lockScroll(false);
    dialog.remove();
  });
  return {
    dialog,
    open() {
      document.body.append(dialog);
      dialog.showModal();
      lockScroll(true);
    },
  };
}
