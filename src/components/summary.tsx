import type { ReactNode } from 'react';
import './summary.css';

export function Summary({ children }: { children: ReactNode }) {
  return <summary className="plus">{children}</summary>;
}
