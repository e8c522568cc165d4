import type { Company, Content } from '../model/content.ts';
import { callWithin } from '../model/working-hours.ts';
import { Action } from './action.tsx';
import { Drawing } from './picture.tsx';
import './callout.css';

/** A preset of the request form, and the phone for those who would rather talk. */
export type NextStep = { preset: string; button: string; image: string; phone: Company['tollFree'] };

/** @param slug a preset; when there is no such preset, the first one */
export function nextStep({ presets, company }: Content, slug: string): NextStep | undefined {
  const preset = presets.find((one) => one.slug === slug) ?? presets[0];
  return preset && { preset: preset.slug, button: preset.button, image: preset.image, phone: company.tollFree };
}

type Props = {
  heading: string;
  /** What the visitor is asked to do, for which a call is promised: «Спросите». */
  ask?: string;
  /** Stands in the place of the promise. */
  text?: string;
  next: NextStep | undefined;
};

/** The next step at the end of a page: the request form or a call. */
export function Callout({ heading, ask, text, next }: Props) {
  if (!next) return null;
  return (
    <section className="callout">
      <Drawing image={next.image} />
      <div>
        <h2>{heading}</h2>
        <p>{text ?? `${ask ? `${ask}: п` : 'П'}ерезвоним ${callWithin} в рабочее время.`}</p>
        <p className="callout-actions">
          <Action preset={next.preset} text={next.button} />
          <a href={`tel:${next.phone.number}`}>{next.phone.text}</a>
        </p>
      </div>
    </section>
  );
}
