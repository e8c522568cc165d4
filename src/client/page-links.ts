export function followedLink(event: MouseEvent): HTMLAnchorElement | undefined {
  return isPlain(event) && !event.defaultPrevented ? pageLink(event.target) : undefined;
}

/** `undefined` unless it opens another page of the site in this tab. */
export function pageLink(target: EventTarget | null): HTMLAnchorElement | undefined {
  const link = (target as Element).closest?.('a');
  if (!link || link.target || link.hasAttribute('download')) return undefined;
  // Downloading a file keeps the page.
  if (link.origin !== location.origin || /\.\w+$/.test(link.pathname)) return undefined;
  return link.pathname + link.search === location.pathname + location.search ? undefined : link;
}

/** Without modifier keys. */
export function isPlain({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return !(button || ctrlKey || metaKey || shiftKey || altKey);
}
