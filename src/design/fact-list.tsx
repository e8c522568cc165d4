import type { ReactNode } from 'react';
import './fact-list.css';

export type Fact = {
  term: string;
  value: ReactNode;
  /** Several sentences, which need more room than a figure. */
  wide?: boolean;
  /** The value that most visitors came for; at most one, the first. */
  main?: boolean;
  /** Stands in the corner of the cell. */
  drawing?: ReactNode;
};

/** Terms and values in ruled cells, like the fields of a waybill. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(({ term, value, wide, main, drawing }) => (
        <div key={term} className={main ? 'facts-main' : wide ? 'facts-wide' : undefined}>
          <dt>
            {drawing}
            {term}
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
