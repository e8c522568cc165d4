import type { Company } from '../site/content.ts';
import { Action } from './action.tsx';
import './callout.css';

type Props = { heading: string; text: string; preset: string; action: string; phone: Company['tollFree'] };

/** The next step at the end of a page: the request form or a call. */
export function Callout({ heading, text, preset, action, phone }: Props) {
  return (
    <section className="callout">
      <div className="callout-text">
        <h2>{heading}</h2>
        <p>{text}</p>
      </div>
      <p className="callout-actions">
        <Action preset={preset} text={action} />
        <a className="callout-phone" href={`tel:${phone.number}`}>
          {phone.text}
        </a>
      </p>
    </section>
  );
}
