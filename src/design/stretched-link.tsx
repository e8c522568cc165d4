import type { ReactNode } from 'react';
import './stretched-link.css';

/** The link of an entry of a list, which can be pressed anywhere. */
export function StretchedLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className="stretched" href={href}>
      {children}
    </a>
  );
}
