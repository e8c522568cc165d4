import type { ReactNode } from 'react';

type NavigationLinkProps = { to: string; text: string; path: string; icon?: ReactNode; price?: string | undefined };

/**
 * Plain text on its own page, except that articles in a menu stay links, as the specification demands.
 *
 * @param props.icon replaces the text
 */
export function NavigationLink({ to, text, path, icon, price }: NavigationLinkProps) {
  const shown = icon ? (
    <>
      {icon}
      <span className="visually-hidden">{text}</span>
    </>
  ) : (
    <>
      {text}
      {price && <small> {price}</small>}
    </>
  );
  const current = to === path && !path.includes('/articles/');
  return current ? <span aria-current="page">{shown}</span> : <a href={to}>{shown}</a>;
}
