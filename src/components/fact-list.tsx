import type { ReactNode } from 'react';
import './fact-list.css';

export type Fact = {
  term: string;
  value: ReactNode;
  /** Several sentences, which need more room than a figure. */
  wide?: boolean;
};

/** Terms and values in ruled cells, like the fields of a waybill. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(({ term, value, wide }) => (
        <div key={term} className={wide ? 'facts-wide' : undefined}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
