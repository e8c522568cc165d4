import type { ReactNode } from 'react';
import './page-heading.css';

type Props = {
  heading: string;
  lead?: string;
  /** Not on phones. */
  drawing?: ReactNode;
  label?: ReactNode;
  children?: ReactNode;
};

export function PageHeading({ heading, lead, drawing, label, children }: Props) {
  return (
    <div className="page-heading">
      <div>
        <h1>{heading}</h1>
        {lead && <p className="lead">{lead}</p>}
        {children}
      </div>
      {drawing}
      {label}
    </div>
  );
}
