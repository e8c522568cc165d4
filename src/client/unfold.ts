/** Before 2022 to 2025, browsers did not unfold what a link leads into, and stayed at the top of the page. */
export function bind(): void {
  const target = document.querySelector(':target');
  const fold = target?.closest<HTMLDetailsElement>('details:not([open])');
  if (!target || !fold) return;
  fold.open = true;
  target.scrollIntoView();
}
