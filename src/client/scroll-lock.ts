/** Keeps the page behind a menu or a dialog from scrolling. */
export function lockScroll(locked: boolean): void {
  document.documentElement.classList.toggle('scroll-locked', locked);
}
