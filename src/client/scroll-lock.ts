/** Keeps the page behind a menu or a dialog from scrolling; it is let go when the last of them has closed. */
export function lockScroll(locked: boolean): void {
  const open = locked || document.querySelector('.burger[open], dialog[open]') !== null;
  const { classList, clientWidth, style } = document.documentElement;
  // A page whose scrollbar takes room keeps that, or all of it would jump aside.
  style.scrollbarGutter = open && innerWidth > clientWidth ? 'stable' : '';
  classList.toggle('scroll-locked', open);
}
