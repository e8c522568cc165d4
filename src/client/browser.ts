/** Only WebKit lacks `<link rel=prefetch>`. */
export function isWebKit(): boolean {
  return document.createElement('link').relList.supports?.('prefetch') === false;
}

/** Gives a click feedback before slow layout work. */
export function afterPaint(task: () => void): void {
  requestAnimationFrame(() => setTimeout(task));
}
