import type { ReactNode } from 'react';

/** Level of a heading that is set by where its component stands. */
export type Level = 2 | 3;

/** A heading at the given level; its look is its component's business. */
export function Heading({ level, children }: { level: Level; children: ReactNode }) {
  return level === 2 ? <h2>{children}</h2> : <h3>{children}</h3>;
}
