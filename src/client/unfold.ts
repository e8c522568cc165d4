/** Older browsers, up to 2025, neither unfold what a link leads into nor scroll to it. */
export function bind(): void {
  const target = document.querySelector(':target');
  const fold = target?.closest<HTMLDetailsElement>('details:not([open])');
  if (!target || !fold) return;
  fold.open = true;
  target.scrollIntoView();
}
