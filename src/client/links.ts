/** The link that a click is about to follow to another page of the site, if it is. */
export function followedLink(event: MouseEvent): HTMLAnchorElement | undefined {
  return isPlain(event) && !event.defaultPrevented ? pageLink(event.target) : undefined;
}

/** The link around an element, if it leads to another page of the site, here and now. */
export function pageLink(target: EventTarget | null): HTMLAnchorElement | undefined {
  const link = (target as Element).closest?.('a');
  if (!link || link.target || link.hasAttribute('download')) return undefined;
  // A file is handed over or shown by itself; the page stays.
  if (link.origin !== location.origin || /\.\w+$/.test(link.pathname)) return undefined;
  return link.pathname + link.search === location.pathname + location.search ? undefined : link;
}

/** Whether a click means "go there" and not "open elsewhere". */
export function isPlain({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return !(button || ctrlKey || metaKey || shiftKey || altKey);
}
