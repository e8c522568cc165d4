import { Action } from './action.tsx';
import type { NextStep } from './callout.tsx';
import { HeadingActions } from './page-heading.tsx';

export function StepActions({ next }: { next: NextStep | undefined }) {
  return (
    next && (
      <HeadingActions phone={next.phone}>
        <Action preset={next.preset} text={next.button} />
      </HeadingActions>
    )
  );
}
