import './action.css';

/** The button that opens the request form with a preset; a link, so that it works without a script. */
export function Action({ preset, text }: { preset: string; text: string }) {
  return (
    <a className="action" href={`/contact?preset=${preset}`}>
      {text}
    </a>
  );
}

/** A quieter button beside the first one, which leads to a page. */
export function LinkButton({ href, text }: { href: string; text: string }) {
  return (
    <a className="action action-quiet" href={href}>
      {text}
    </a>
  );
}
