import type { ReactNode } from 'react';
import { plural } from '../lib/plural.ts';
import type { Bill } from './bill.ts';
import './calculation-table.css';

type Props = {
  bill: Bill;
  /** What was counted, or by which prices. */
  caption: string;
  /** Says from how many units on each line costs less; for orders that can still be changed. */
  hints?: boolean;
  /** Every row at once on a phone, too, where the bill itself is folded or all that there is. */
  whole?: boolean;
  /** Stands between the total and the lines. */
  children?: ReactNode;
};

/** Rows that a phone shows at first. */
const first = 3;

/** A bill: the total and the price of one unit of goods, then every line. */
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
      {/* Unfolds the rows of the one table below; it stands after them where it is seen. */}
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
