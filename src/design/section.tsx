import type { ReactNode } from 'react';
import { Fold } from './fold.tsx';
import './section.css';

type Props = {
  heading: string;
  /** Where links to the section lead. */
  id?: string;
  /** A link beside the heading to all there is of the kind. */
  more?: { href: string; text: string };
  /**
   * Where the heading stands: beside what is read, above what needs the whole width, or
   * on a band from edge to edge, which sets apart what is not one more list.
   */
  look?: 'beside' | 'wide' | 'band';
  /** Lets its body appear when it is scrolled to, where a script can. */
  reveal?: boolean;
  /** With it, narrow screens fold the body up; what stands under the heading meanwhile, or `true` for nothing. */
  fold?: ReactNode;
  children: ReactNode;
};

/** A part of a page under an h2 of its own. */
export function Section({ heading, id, more, look = 'beside', reveal, fold, children }: Props) {
  const body = (
    <div className="section-body" data-module={reveal ? 'reveal' : undefined}>
      {children}
    </div>
  );
  return (
    <section className={`section section-${look}${fold ? ' section-fold' : ''}`} id={id}>
      <div className="section-heading">
        <h2>{heading}</h2>
        {more && <a href={more.href}>{more.text}</a>}
      </div>
      {fold ? (
        <Fold
          summary={
            <>
              <span className="section-name">{heading}</span> {fold}
            </>
          }
        >
          {body}
        </Fold>
      ) : (
        body
      )}
    </section>
  );
}
