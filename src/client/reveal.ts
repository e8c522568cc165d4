/** Pixels inside the window. */
const offset = 120;

/** Nothing is hidden before the first scroll, so that captures of the page are whole. */
export function bind(block: HTMLElement): void {
  addEventListener('scroll', () => hide(block), { once: true, passive: true });
}

/** CSS hides the block, except in print and with reduced motion. */
function hide(block: HTMLElement): void {
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
  // Focus may come before scrolling.
  block.addEventListener('focusin', reveal);
  block.classList.add('unrevealed');
}
