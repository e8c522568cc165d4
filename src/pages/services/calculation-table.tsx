import { Fold } from '../../components/fold.tsx';
import type { Bill } from '../../pricing/bill.ts';
import './calculation-table.css';

type TotalProps = { bill: Pick<Bill, 'total' | 'without' | 'explanation' | 'perUnit' | 'term'> };

export function BillTotal({ bill: { total, without, explanation, perUnit, term } }: TotalProps) {
  return (
    <>
      <dl className="bill-total">
        <div>
          <dt>Итого</dt>
          <dd>
            {total} {without !== undefined && <small>{without}</small>}
          </dd>
        </div>
        {perUnit !== undefined && (
          <div>
            <dt>За единицу</dt>
            <dd>{perUnit}</dd>
          </div>
        )}
      </dl>
      {explanation !== undefined && <p>{explanation}</p>}
      {term !== undefined && <p className="bill-term">{term}</p>}
    </>
  );
}

type TableProps = {
  bill: Bill;
  caption: string;
  hints?: boolean;
};

export function BillTable({ bill: { rows }, caption, hints }: TableProps) {
  if (rows.length === 0) return <p>{caption}</p>;
  return (
    <table className="bill">
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
  );
}

export function FoldedBill({ bill, caption, hints }: TableProps) {
  if (bill.rows.length === 0) return null;
  return (
    <Fold everywhere summary="Из чего складывается сумма">
      <BillTable bill={bill} caption={caption} hints={hints} />
    </Fold>
  );
}
