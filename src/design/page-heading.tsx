import type { ReactNode } from 'react';
import type { Company } from '../model/content.ts';
import './page-heading.css';

type Props = {
  heading: string;
  lead?: string;
  drawing?: ReactNode;
  /** With a drawing among the actions, the label goes below, over the full width. */
  drawn?: boolean;
  /** Usually a list of facts, beside or below the heading. */
  label?: ReactNode;
  children?: ReactNode;
};

export function PageHeading({ heading, lead, drawing, drawn, label, children }: Props) {
  return (
    <div className={drawn ? 'page-heading page-heading-drawn' : 'page-heading'}>
      <div>
        <h1>{heading}</h1>
        {lead && <p className="lead">{lead}</p>}
        {children}
      </div>
      {label}
      {drawing}
    </div>
  );
}

type ActionsProps = {
  phone: Company['tollFree'];
  /** Small on phones, large elsewhere. */
  drawing?: ReactNode;
  children?: ReactNode;
};

export function HeadingActions({ phone, drawing, children }: ActionsProps) {
  return (
    <p className="page-heading-actions">
      {children}
      <a href={`tel:${phone.number}`}>{phone.text}</a>
      {drawing}
    </p>
  );
}
