import './page-heading.css';

/** The one h1 of a page, with what the page is about in a sentence. */
export function PageHeading({ heading, lead }: { heading: string; lead?: string }) {
  return (
    <div className="page-heading">
      <h1>{heading}</h1>
      {lead && <p className="lead">{lead}</p>}
    </div>
  );
}
