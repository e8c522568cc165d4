/** Only WebKit lacks `<link rel=prefetch>`. */
export function isWebKit(): boolean {
  return document.createElement('link').relList.supports?.('prefetch') === false;
}
