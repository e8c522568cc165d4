import type { ReactNode } from 'react';
import type { Company } from '../model/content.ts';
import './page-heading.css';

type Props = {
  heading: string;
  lead?: string;
  /** Stands beside the heading where there is room for both. */
  drawing?: ReactNode;
  /** The heading has a drawing among its actions: the label lies below both, over the whole width. */
  drawn?: boolean;
  /** What the visitor came to know, usually a list of facts; beside the heading, or below it. */
  label?: ReactNode;
  /** Between the heading and what is below or beside it: the next step, an author, a date. */
  children?: ReactNode;
};

/** The one h1 of a page, with what the page is about in a sentence. */
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
  /** Stands beside the button on a phone, and large beside the heading elsewhere. */
  drawing?: ReactNode;
  children?: ReactNode;
};

/** The next step in the first screen: a button, and the phone for those who would rather talk. */
export function HeadingActions({ phone, drawing, children }: ActionsProps) {
  return (
    <p className="page-heading-actions">
      {children}
      <a href={`tel:${phone.number}`}>{phone.text}</a>
      {drawing}
    </p>
  );
}
