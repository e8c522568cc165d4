/** Keeps the page behind a menu or a dialog from scrolling; it is let go when the last of them has closed. */
export function lockScroll(locked: boolean): void {
  const open = locked || document.querySelector('.burger[open], dialog[open]') !== null;
  document.documentElement.classList.toggle('scroll-locked', open);
}
