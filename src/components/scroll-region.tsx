import type { ReactNode } from 'react';
import './scroll-region.css';

/** Holds a table that may be wider than the screen; the keyboard can reach and scroll it. */
export function ScrollRegion({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard (WCAG 2.1.1)
    <section className="scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
