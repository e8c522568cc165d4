/** The link that a click is about to follow to another page of the site, if it is. */
export function followedLink(event: MouseEvent): HTMLAnchorElement | undefined {
  const link = (event.target as Element).closest?.('a');
  if (!link || !isPlain(event) || event.defaultPrevented) return undefined;
  const here = link.origin === location.origin && link.pathname + link.search !== location.pathname + location.search;
  // A file is handed over or shown by itself; the page stays.
  const file = /\.\w+$/.test(link.pathname);
  return here && !file && !link.target && !link.hasAttribute('download') ? link : undefined;
}

/** Whether a click means "go there" and not "open elsewhere". */
export function isPlain({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return !(button || ctrlKey || metaKey || shiftKey || altKey);
}
