import type { ReactNode } from 'react';
import { Fold } from './fold.tsx';
import './section.css';

type Props = {
  heading: string;
  id?: string;
  more?: { href: string; text: string };
  /** Places the heading left of the text or above it. */
  variant?: 'beside' | 'wide';
  /** Fades in on scroll, with scripts; `home.css` has the styles. */
  reveal?: boolean;
  /** Shown under the heading while the body is folded on narrow screens; `true` shows nothing. */
  fold?: ReactNode;
  /** Inside another section. */
  nested?: boolean;
  children: ReactNode;
};

export function Section({ heading, id, more, variant = 'beside', reveal, fold, nested, children }: Props) {
  const Heading = nested ? 'h3' : 'h2';
  const body = (
    // In a fold, so that browsers unfold it for a link to it.
    <div className="section-body" id={fold ? id : undefined} data-module={reveal ? 'reveal' : undefined}>
      {children}
    </div>
  );
  if (fold) {
    const summary = (
      <>
        <h2>{heading}</h2> {fold}
      </>
    );
    return (
      <section className={`section section-${variant} section-fold`}>
        <Fold summary={summary}>{body}</Fold>
      </section>
    );
  }
  return (
    <section className={`section section-${variant}`} id={id}>
      <div className="section-heading">
        <Heading>{heading}</Heading>
        {more && <a href={more.href}>{more.text}</a>}
      </div>
      {body}
    </section>
  );
}
