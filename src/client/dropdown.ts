/** Adds hover; clicks and keys are native. */
export function dropdown(element: HTMLElement): void {
  const list = element as HTMLDetailsElement;
  const button = list.querySelector('summary') as HTMLElement;
  // The burger's lists open by click only.
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
    // Closed for pages restored from the back/forward cache.
    if ((event.target as Element).closest('a')) list.open = false;
    // Hover opened it, so the click must not close it.
    else if (hovered) event.preventDefault();
  });
  list.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') button.focus();
  });
  // A hovered list does not have the focus.
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') list.open = hovered = false;
  });
  addEventListener('focusin', closeBeside);
  // A tap on plain text moves no focus.
  addEventListener('pointerdown', closeBeside);
}
