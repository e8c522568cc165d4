/** Pixels that a block must have come into the window before it appears. */
const offset = 120;

/**
 * Lets a block below the fold appear when it is scrolled to. Only the style sheet
 * hides it, so it hides nothing in print or where motion is unwelcome.
 */
export function bind(block: HTMLElement): void {
  if (block.getBoundingClientRect().top < innerHeight) return;
  const observer = new IntersectionObserver(
    ([entry]) => {
      if (entry?.isIntersecting) reveal();
    },
    { rootMargin: `0px 0px -${offset}px` },
  );
  function reveal(): void {
    block.classList.remove('unrevealed');
    observer.disconnect();
  }
  observer.observe(block);
  // Focus may stop at the very edge of the window, and must be seen there.
  block.addEventListener('focusin', reveal);
  block.classList.add('unrevealed');
}
