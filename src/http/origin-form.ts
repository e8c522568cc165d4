/** Accepts the absolute form `http://host/path` (RFC 9112, 3.2.2) and drops fragments. */
export function originForm(target: string): string {
  const [whole = ''] = target.split('#', 1);
  if (whole.startsWith('/')) return whole;
  const url = URL.parse(whole);
  return url === null ? whole : url.pathname + url.search;
}

/** With its `?`. */
export function searchOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? '' : target.slice(mark);
}
