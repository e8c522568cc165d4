/**
 * An entry of the navigation: plain text on its own page, a link elsewhere.
 * Article pages keep every link, so that a reader always finds back to the list.
 */
export function NavigationLink({ to, text, path }: { to: string; text: string; path: string }) {
  const current = to === path && !path.includes('/articles/');
  return current ? <span aria-current="page">{text}</span> : <a href={to}>{text}</a>;
}
