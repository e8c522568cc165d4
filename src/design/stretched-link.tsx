import type { ReactNode } from 'react';
import './stretched-link.css';

/** Makes its positioned ancestor clickable as a whole. */
export function StretchedLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className="stretched" href={href}>
      {children}
    </a>
  );
}
