import type { ReactNode } from 'react';

type NavigationLinkProps = {
  to: string;
  text: string;
  path: string | undefined;
  icon?: ReactNode;
  price?: string | undefined;
};

/**
 * Plain text on its own page.
 *
 * @param props.path of the page
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
  return to === path ? <span aria-current="page">{shown}</span> : <a href={to}>{shown}</a>;
}
