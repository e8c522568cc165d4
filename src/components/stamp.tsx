import type { ReactNode } from 'react';
import './stamp.css';

/** One or two words, and perhaps a smaller line under them. */
export function Stamp({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <span className="stamp">
      {text}
      {children && <small>{children}</small>}
    </span>
  );
}
