import type { ReactNode } from 'react';
import type { Company } from '../model/content.ts';
import './page-heading.css';

type Props = {
  heading: string;
  lead?: string;
  /** Not on phones. */
  drawing?: ReactNode;
  /** Usually a list of facts. */
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

export function HeadingActions({ phone, children }: { phone: Company['tollFree']; children: ReactNode }) {
  return (
    <p className="page-heading-actions">
      {children}
      <a href={`tel:${phone.number}`}>{phone.text}</a>
    </p>
  );
}
