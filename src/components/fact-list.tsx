import type { ReactNode } from 'react';
import './fact-list.css';

export type Fact = { term: string; value: ReactNode };

/** Terms and values in ruled cells, like the fields of a waybill. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(({ term, value }) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
