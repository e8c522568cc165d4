import type { ReactNode } from 'react';
import './section.css';

type Props = {
  heading: string;
  /** Where links to the section lead. */
  id?: string;
  /** A link beside the heading to all there is of the kind. */
  more?: { href: string; text: string };
  /** Lets its body appear when it is scrolled to, where a script can. */
  reveal?: boolean;
  children: ReactNode;
};

/** A part of a page under an h2 of its own. */
export function Section({ heading, id, more, reveal, children }: Props) {
  return (
    <section className="section" id={id}>
      <div className="section-heading">
        <h2>{heading}</h2>
        {more && <a href={more.href}>{more.text}</a>}
      </div>
      <div className="section-body" data-module={reveal ? 'reveal' : undefined}>
        {children}
      </div>
    </section>
  );
}
