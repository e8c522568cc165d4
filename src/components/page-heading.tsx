import type { ReactNode } from 'react';
import './page-heading.css';

type Props = {
  heading: string;
  lead?: string | undefined;
  /** Stands beside the heading where there is room for both. */
  drawing?: ReactNode;
};

/** The one h1 of a page, with what the page is about in a sentence. */
export function PageHeading({ heading, lead, drawing }: Props) {
  return (
    <div className="page-heading">
      <div>
        <h1>{heading}</h1>
        {lead && <p className="lead">{lead}</p>}
      </div>
      {drawing}
    </div>
  );
}
