import type { Company } from '../../model/content.ts';
import { LinkButton, type PageAction } from '../action.tsx';
import './action-bar.css';

type Props = { action: PageAction; phone: Company['phone'] };

/** Stays at the bottom of a phone, instead of buttons that repeat through the page. */
export function ActionBar({ action, phone }: Props) {
  return (
    <nav className="action-bar" aria-label="Заявка и звонок">
      <LinkButton href={action.href} text={action.short ?? action.text} />
      <a className="action action-quiet" href={`tel:${phone.number}`}>
        <span className="visually-hidden">Позвонить {phone.text}</span>
        <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
          <path
            d="M5 3h4l2 5-2.5 2a12 12 0 0 0 5.5 5.5l2-2.5 5 2v4a2 2 0 0 1-2 2A17 17 0 0 1 3 5a2 2 0 0 1 2-2z"
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
            strokeLinejoin="round"
          />
        </svg>
      </a>
    </nav>
  );
}
