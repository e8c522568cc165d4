/** Unlocks when all menus and dialogs are closed. */
export function lockScroll(locked: boolean): void {
  const open = locked || document.querySelector('.burger[open], dialog[open]') !== null;
  const { classList, clientWidth, style } = document.documentElement;
  // Keeps the scrollbar's space.
  style.scrollbarGutter = open && innerWidth > clientWidth ? 'stable' : '';
  classList.toggle('scroll-locked', open);
}
