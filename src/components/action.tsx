import type { ReactNode } from 'react';
import type { Company, Preset } from '../model/content.ts';
import './action.css';

export type PageAction = {
  href: string;
  text: string;
  /** For the bar, where `text` would take two lines. */
  short?: string;
};

/** What fits on one line of the bar at 360 px. */
const maxBarLetters = 24;

type ActionPreset = Pick<Preset, 'slug' | 'title'> & Partial<Pick<Preset, 'button'>>;

/** A link, so that it works without scripts, with the title of the form that it opens. */
export function Action({ preset, quiet }: { preset: ActionPreset; quiet?: boolean }) {
  return <LinkButton {...presetAction(preset)} quiet={quiet} />;
}

export function presetAction({ slug, title, button }: ActionPreset): PageAction {
  return { href: `/contact?preset=${slug}`, text: title, short: title.length > maxBarLetters ? button : undefined };
}

export function LinkButton({ href, text, quiet = false }: Omit<PageAction, 'short'> & { quiet?: boolean }) {
  return (
    <a className={quiet ? 'action action-quiet' : 'action'} href={href}>
      {text}
    </a>
  );
}

type SubmitProps = {
  text: string;
  quiet?: boolean;
  /** Tells several buttons of a form apart. */
  name?: string;
  value?: string;
};

export function SubmitButton({ text, quiet = false, name, value }: SubmitProps) {
  return (
    <button className={quiet ? 'action action-quiet' : 'action'} type="submit" name={name} value={value}>
      {text}
    </button>
  );
}

export function Actions({ phone, children }: { phone: Company['phone']; children: ReactNode }) {
  return (
    <p className="actions">
      {children}
      <a href={`tel:${phone.number}`}>{phone.text}</a>
    </p>
  );
}
