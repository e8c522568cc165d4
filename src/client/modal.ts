import { lockScroll } from './scroll-lock.ts';

/**
 * A dialog over the page; native, so that focus moves in, stays in and returns,
 * and Escape closes it. A press on what is behind closes it too.
 *
 * @param name class of the dialog
 */
export function modal(name: string, label: string): { dialog: HTMLDialogElement; open(): void } {
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
  dialog.addEventListener('close', () => lockScroll(false));
  document.body.append(dialog);
  return {
    dialog,
    open() {
      dialog.showModal();
      lockScroll(true);
    },
  };
}
