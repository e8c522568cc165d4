import { type CalloutWords, type Company, type Content, callPhone, type Preset } from '../model/content.ts';
import { callWithinWords } from '../model/working-hours.ts';
import { Action, Actions, type PageAction, presetAction } from './action.tsx';
import { Drawing } from './picture.tsx';
import './callout.css';

export type NextStep = Omit<CalloutWords, 'preset'> & { preset: Preset; promise: string; phone: Company['phone'] };

/** `undefined` without words in the front matter. */
export function nextStep({ presets, company }: Content, words: CalloutWords | undefined): NextStep | undefined {
  const preset = presets.find(({ slug }) => slug === words?.preset);
  const { call = `Позвоним ${callWithinWords(company.workingHours)} в рабочее время.` } = company.words;
  return words && preset && { ...words, preset, promise: call, phone: callPhone(company) };
}

export function actionOf(next: NextStep | undefined): PageAction | undefined {
  return next && presetAction(next.preset);
}

export function Callout({ next }: { next: NextStep | undefined }) {
  if (!next) return null;
  return (
    <section className="callout">
      <Drawing image={next.preset.image} />
      <div>
        <h2>{next.heading}</h2>
        <p>{[next.text, next.promise].filter(Boolean).join(' ')}</p>
        <StepActions next={next} />
      </div>
    </section>
  );
}

export function StepActions({ next }: { next: NextStep | undefined }) {
  return (
    next && (
      <Actions phone={next.phone}>
        <Action preset={next.preset} />
      </Actions>
    )
  );
}
