import './action.css';

/** The button that opens the request form with a preset; a link, so that it works without a script. */
export function Action({ preset, text }: { preset: string; text: string }) {
  return (
    <a className="action" href={`/contact?preset=${preset}`}>
      {text}
    </a>
  );
}

/** A button that leads to a page; a quiet one stands beside the button that matters more. */
export function LinkButton({ href, text, quiet = false }: { href: string; text: string; quiet?: boolean }) {
  return (
    <a className={quiet ? 'action action-quiet' : 'action'} href={href}>
      {text}
    </a>
  );
}

/** The button that sends the form around it; a quiet one where another matters more. */
export function SubmitButton({ text, quiet = false }: { text: string; quiet?: boolean }) {
  return (
    <button className={quiet ? 'action action-quiet' : 'action'} type="submit">
      {text}
    </button>
  );
}
