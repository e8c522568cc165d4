/** Told by what WebKit alone does not know: pages that are fetched ahead by a link. */
export function isWebKit(): boolean {
  return document.createElement('link').relList.supports?.('prefetch') === false;
}
