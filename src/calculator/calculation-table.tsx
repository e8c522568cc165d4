import { formatPrice } from '../design/format.ts';
import type { Calculation, Plurals } from './calculation.ts';
import { individually, minimum, product } from './calculation-words.ts';
import './calculation-table.css';

type Props = {
  words: Plurals;
  calculation: Calculation;
  caption: string;
  /** Without the formulas, where the sums are only a reminder. */
  short?: boolean;
};

/** A calculation: every line with its formula, the total, and the price of one unit of goods. */
export function CalculationTable({ words, calculation, caption, short = false }: Props) {
  const { lines, beyond, total, perUnit } = calculation;
  return (
    <table className="bill">
      <caption>{caption}</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">Операция</th>
          <th scope="col">Сумма</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.rate}>
            <th scope="row">
              {line.text}
              {!short && (
                <small>
                  {product(words, line)}
                  {line.sum === line.product ? ' =' : `, ${minimum(line)}`}
                </small>
              )}
            </th>
            <td>{formatPrice(line.sum)}</td>
          </tr>
        ))}
        {beyond.map(({ text, why }) => (
          <tr key={`${text} ${why}`}>
            <th scope="row">
              {text}
              <small>{why}</small>
            </th>
            <td>{individually}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Итого</th>
          <td>{total === undefined ? individually : formatPrice(total)}</td>
        </tr>
        {perUnit !== undefined && (
          <tr>
            <th scope="row">На одну единицу товара</th>
            <td>{formatPrice(perUnit)}</td>
          </tr>
        )}
      </tfoot>
    </table>
  );
}
