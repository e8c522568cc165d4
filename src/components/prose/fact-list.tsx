import type { ReactNode } from 'react';
import './fact-list.css';

export type ListedFact = {
  term: string;
  value: ReactNode;
  /** For sentences rather than figures. */
  wide?: boolean;
  /** Shows the first one or two facts large. */
  main?: boolean;
};

export function FactList({ facts }: { facts: readonly ListedFact[] }) {
  const mainLook = facts.filter(({ main }) => main).length > 1 ? 'facts-main facts-half' : 'facts-main';
  return (
    <dl className="facts">
      {facts.map(({ term, value, wide, main }) => (
        <div key={term} className={main ? mainLook : wide ? 'facts-wide' : undefined}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
