import { formatCount, formatPrice } from '../design/format.ts';
import type { Rate, RateGroup } from '../model/content.ts';
import './price-table.css';

type Props = {
  group: RateGroup;
  /** Omitted if the page already states it. */
  vat?: string;
};

/** Cells stack on narrow screens, so that prices do not scroll. */
export function PriceTable({ group: { title, note, rows }, vat }: Props) {
  const columns = Math.max(...rows.map(({ tiers }) => tiers.length));
  return (
    <>
      <table className="prices">
        <caption>
          <span className="visually-hidden">{title}. </span>
          {vat && `${vat}, цена единицы зависит от количества`}
        </caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Услуга</th>
            <th scope="col">Единица</th>
            <th scope="colgroup" colSpan={columns}>
              Цена
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </tbody>
      </table>
      {note && <p className="prices-note">{note}</p>}
    </>
  );
}

function Row({ row: { id, text, note, next, minimum, unit, tiers } }: { row: Rate }) {
  return (
    <tr id={id}>
      <th scope="row">
        {text}
        {note && <small>{note}</small>}
        {next && (
          <small>
            {next.unit}: +&nbsp;{formatPrice(next.price)}
          </small>
        )}
        {minimum !== undefined && <small>минимум {formatPrice(minimum)}</small>}
      </th>
      <td className="prices-unit">{unit}</td>
      {tiers.map(({ from, price }) => (
        <td key={from}>
          <small>от&nbsp;{formatCount(from)}</small> {formatPrice(price)}
        </td>
      ))}
    </tr>
  );
}
