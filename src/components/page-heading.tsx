import type { ReactNode } from 'react';
import './page-heading.css';

type Props = {
  heading: string;
  intro?: string;
  /** Not on phones. */
  drawing?: ReactNode;
  label?: ReactNode;
  children?: ReactNode;
};

export function PageHeading({ heading, intro, drawing, label, children }: Props) {
  return (
    <div className="page-heading">
      <div>
        <h1>{heading}</h1>
        {intro && <p className="lead">{intro}</p>}
        {children}
      </div>
      {drawing}
      {label}
    </div>
  );
}
