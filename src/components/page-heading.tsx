import type { ReactNode } from 'react';
import './page-heading.css';

type Props = {
  heading: string;
  intro?: string;
  /** Whether the introduction depends on the time. */
  dated?: boolean;
  drawing?: ReactNode;
  label?: ReactNode;
  children?: ReactNode;
};

export function PageHeading({ heading, intro, dated, drawing, label, children }: Props) {
  return (
    <div className="page-heading">
      {drawing}
      <div className="page-heading-text">
        <h1>{heading}</h1>
        {intro && (
          <p className="lead" data-dated={dated ? '' : undefined}>
            {intro}
          </p>
        )}
        {children}
      </div>
      {label}
    </div>
  );
}
