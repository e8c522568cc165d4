/** A list of the navigation bar: unfolds under the pointer, and by click, Enter and Space as `details` do. */
export function dropdown(element: HTMLElement): void {
  const list = element as HTMLDetailsElement;
  // The lists of the burger unfold by pressing alone.
  if (list.closest('.burger')) return;
  let hovered = false;

  list.addEventListener('pointerenter', ({ pointerType }) => {
    if (pointerType !== 'mouse') return;
    hovered = true;
    list.open = true;
  });
  list.addEventListener('pointerleave', () => {
    if (hovered) list.open = false;
    hovered = false;
  });
  list.firstElementChild?.addEventListener('click', (event) => {
    // The pointer has opened it already; its click must not fold it up again.
    if (hovered) event.preventDefault();
  });
  list.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    list.open = false;
    (list.firstElementChild as HTMLElement).focus();
  });
  list.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget && !list.contains(relatedTarget as Node)) list.open = false;
  });
}
