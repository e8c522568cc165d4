import type { ReactNode } from 'react';
import { Summary } from './summary.tsx';
import './fold.css';

type Props = {
  /** What is seen while the rest is folded up. */
  summary: ReactNode;
  /** Unfolded to begin with. */
  open?: boolean;
  children: ReactNode;
};

/** What is folded up on narrow screens, and stands open on wide ones and on paper. */
export function Fold({ summary, open, children }: Props) {
  return (
    <details className="fold" open={open}>
      <Summary>{summary}</Summary>
      {children}
    </details>
  );
}
