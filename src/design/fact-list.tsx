import type { ReactNode } from 'react';
import './fact-list.css';

export type Fact = {
  term: string;
  value: ReactNode;
  /** Several sentences, which need more room than a figure. */
  wide?: boolean;
  /** The value that most visitors came for; two of them at most, the first ones, share a line. */
  main?: boolean;
};

/** Terms and values in ruled cells, like the fields of a waybill. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
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
