import type { ReactNode } from 'react';
import { Summary } from './summary.tsx';
import './fold.css';

type Props = {
  summary: ReactNode;
  open?: boolean;
  /** Also on wide screens; paper always shows the content. */
  everywhere?: boolean;
  children: ReactNode;
};

/** Folds on phones. */
export function Fold({ summary, open, everywhere, children }: Props) {
  return (
    <details className={everywhere ? 'fold-everywhere' : 'fold'} open={open}>
      <Summary>{summary}</Summary>
      {children}
    </details>
  );
}
