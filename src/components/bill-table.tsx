import type { Bill } from './bill.ts';
import { formatCount, formatPrice } from './format.ts';
import './bill-table.css';

type Props = {
  bill: Bill;
  caption: string;
  /** Units of goods that the total is shared by. */
  units: number;
};

/** A worked bill: every line with its formula, the total, and the price of one unit of goods. */
export function BillTable({ bill, caption, units }: Props) {
  return (
    <table className="bill">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Операция</th>
          <th scope="col">Сумма</th>
        </tr>
      </thead>
      <tbody>
        {bill.lines.map(({ rate, text, count, price, sum }) => (
          <tr key={rate}>
            <th scope="row">
              {text}
              <small>
                {formatCount(count)} × {formatPrice(price)}
                {sum > price * count && ', но не меньше минимума'}
              </small>
            </th>
            <td>{formatPrice(sum)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Итого</th>
          <td>{formatPrice(bill.total)}</td>
        </tr>
        <tr>
          <th scope="row">На одну единицу товара</th>
          <td>{formatPrice(Math.round(bill.total / units))}</td>
        </tr>
      </tfoot>
    </table>
  );
}
