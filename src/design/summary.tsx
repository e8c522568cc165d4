import type { ReactNode } from 'react';
import './summary.css';

/** What stands for the rest of its `details` while that is folded up, with a plus at its end. */
export function Summary({ children }: { children: ReactNode }) {
  return <summary className="plus">{children}</summary>;
}
