import type { ReactNode } from 'react';

export type Level = 2 | 3;

export function Heading({ level, children }: { level: Level; children: ReactNode }) {
  return level === 2 ? <h2>{children}</h2> : <h3>{children}</h3>;
}
