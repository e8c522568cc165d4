import type { ReactNode } from 'react';
import './stretched-link.css';

/** Makes its whole positioned ancestor clickable. */
export function StretchedLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className="stretched" href={href}>
      {children}
    </a>
  );
}
