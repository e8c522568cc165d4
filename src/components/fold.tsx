import type { ReactNode } from 'react';
import { Summary } from './summary.tsx';
import './fold.css';

type Props = {
  summary: ReactNode;
  open?: boolean;
  children: ReactNode;
};

/** Always open on wide screens and in print. */
export function Fold({ summary, open, children }: Props) {
  return (
    <details className="fold" open={open}>
      <Summary>{summary}</Summary>
      {children}
    </details>
  );
}
