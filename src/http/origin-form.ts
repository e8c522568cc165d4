/** Servers must accept the absolute form `http://host/path` (RFC 9112, 3.2.2). Drops fragments. */
export function originForm(target: string): string {
  const mark = target.indexOf('#');
  const whole = mark === -1 ? target : target.slice(0, mark);
  if (whole.startsWith('/')) return whole;
  const [origin] = /^[a-z][a-z\d+.-]*:\/\/[^/?]*/i.exec(whole) ?? [];
  if (origin === undefined) return whole;
  const rest = whole.slice(origin.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** With its `?`; empty if there is none. */
export function searchOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? '' : target.slice(mark);
}
