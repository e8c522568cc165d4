/** Keeps the page behind a menu or a dialog from scrolling. @param name class on the root while it holds */
export function lockScroll(locked: boolean, name = 'scroll-locked'): void {
  document.documentElement.classList.toggle(name, locked);
}
