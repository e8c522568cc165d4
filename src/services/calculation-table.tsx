import type { ReactNode } from 'react';
import { plural } from '../lib/plural.ts';
import type { Bill } from './bill.ts';
import './calculation-table.css';

type Props = {
  bill: Bill;
  caption: string;
  /** Shows the quantity from which each row gets cheaper. */
  hints?: boolean;
  /** Shows all rows on phones, too. */
  whole?: boolean;
  children?: ReactNode;
};

/** Rows that phones show before «Ещё». */
const first = 3;

export function CalculationTable({ bill: { total, perUnit, rows }, caption, hints, whole, children }: Props) {
  return (
    <div className="bill">
      <dl className="bill-total">
        <div>
          <dt>Итого</dt>
          <dd>{total}</dd>
        </div>
        {perUnit !== undefined && (
          <div>
            <dt>За единицу</dt>
            <dd>{perUnit}</dd>
          </div>
        )}
      </dl>
      {children}
      {/* Comes before the table for CSS, but is displayed after it. */}
      {!whole && rows.length > first + 1 && (
        <details className="bill-more">
          <summary>
            <span>{further(rows.length - first)}</span>
            <span>Свернуть</span>
          </summary>
        </details>
      )}
      <table>
        <caption>{caption}</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Услуга</th>
            <th scope="col">Сумма</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ text, formula, hint, sum }) => (
            <tr key={`${text} ${formula}`}>
              <th scope="row">
                {text}
                <small>{formula}</small>
                {hints && hint !== undefined && <small>{hint}</small>}
              </th>
              <td>{sum}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function further(count: number): string {
  return `Ещё ${count}\u00A0${plural(count, ['строка', 'строки', 'строк'])}`;
}
