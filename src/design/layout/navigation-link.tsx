import type { ReactNode } from 'react';

/**
 * An entry of the navigation: plain text on its own page, a link elsewhere.
 * Article pages keep every link, so that a reader always finds back to the list.
 *
 * @param props.icon is seen in the place of the text
 */
export function NavigationLink({ to, text, path, icon }: { to: string; text: string; path: string; icon?: ReactNode }) {
  const shown = icon ? (
    <>
      {icon}
      <span className="visually-hidden">{text}</span>
    </>
  ) : (
    text
  );
  const current = to === path && !path.includes('/articles/');
  return current ? <span aria-current="page">{shown}</span> : <a href={to}>{shown}</a>;
}
