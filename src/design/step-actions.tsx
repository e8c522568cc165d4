import { Action } from './action.tsx';
import type { NextStep } from './callout.tsx';
import { HeadingActions } from './page-heading.tsx';

/** The request form as the next step of the first screen; nothing if no preset offers one. */
export function StepActions({ next }: { next: NextStep | undefined }) {
  return (
    next && (
      <HeadingActions phone={next.phone}>
        <Action preset={next.preset} text={next.button} />
      </HeadingActions>
    )
  );
}
