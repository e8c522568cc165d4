/** A list of the navigation bar: unfolds under the pointer, and by click, Enter and Space as `details` do. */
export function dropdown(element: HTMLElement): void {
  const list = element as HTMLDetailsElement;
  const button = list.querySelector('summary') as HTMLElement;
  // The lists of the burger unfold by pressing alone.
  if (list.closest('.burger')) return;
  let hovered = false;

  function closeBeside({ target }: Event): void {
    if (!list.contains(target as Node)) list.open = false;
  }

  list.addEventListener('pointerenter', ({ pointerType }) => {
    if (pointerType !== 'mouse') return;
    hovered = true;
    list.open = true;
  });
  list.addEventListener('pointerleave', () => {
    if (hovered) list.open = false;
    hovered = false;
  });
  list.addEventListener('click', (event) => {
    // A visitor who comes back to this page must not find the list over it.
    if ((event.target as Element).closest('a')) list.open = false;
    // The pointer has opened it already; its click must not fold it up again.
    else if (hovered) event.preventDefault();
  });
  list.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    list.open = false;
    button.focus();
  });
  addEventListener('focusin', closeBeside);
  // A finger leaves nothing that it was over, and moves no focus where there is nothing to press.
  addEventListener('pointerdown', closeBeside);
}
