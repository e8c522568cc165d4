import type { CalloutWords, Company, Content } from '../model/content.ts';
import { callWithin } from '../model/working-hours.ts';
import { Action, Actions } from './action.tsx';
import { Drawing } from './picture.tsx';
import './callout.css';

export type NextStep = CalloutWords & { button: string; image: string; phone: Company['tollFree'] };

/** `undefined` without words in the front matter. */
export function nextStep({ presets, company }: Content, words: CalloutWords | undefined): NextStep | undefined {
  const preset = presets.find(({ slug }) => slug === words?.preset);
  return words && preset && { ...words, button: preset.button, image: preset.image, phone: company.tollFree };
}

export function Callout({ next }: { next: NextStep | undefined }) {
  if (!next) return null;
  return (
    <section className="callout">
      <Drawing image={next.image} />
      <div>
        <h2>{next.heading}</h2>
        <p>{[next.text, `Перезвоним ${callWithin} в рабочее время.`].filter(Boolean).join(' ')}</p>
        <StepActions next={next} />
      </div>
    </section>
  );
}

export function StepActions({ next }: { next: NextStep | undefined }) {
  return (
    next && (
      <Actions phone={next.phone}>
        <Action preset={next.preset} text={next.button} />
      </Actions>
    )
  );
}
