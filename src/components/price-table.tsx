import type { Rate, RateGroup } from '../site/content.ts';
import { formatCount, formatPrice } from './format.ts';
import './price-table.css';

type Props = {
  group: RateGroup;
  vat: string;
  /** True where no heading above names the group. */
  titled: boolean;
};

/**
 * Prices of one group of rates. Wide screens show columns; narrow ones stack
 * each service over its prices, so that no price has to be scrolled to.
 */
export function PriceTable({ group, vat, titled }: Props) {
  const minimum = group.rows.some((row) => row.minimum !== undefined);
  return (
    <>
      <table className="prices">
        <caption>
          <b className={titled ? undefined : 'visually-hidden'}>{group.title}.</b> {vat}
        </caption>
        <thead>
          <tr>
            <th scope="col">Услуга</th>
            <th scope="col">Единица</th>
            <th scope="col">Цена за единицу при объёме</th>
            {minimum && <th scope="col">Минимум</th>}
          </tr>
        </thead>
        <tbody>
          {group.rows.map((row) => (
            <tr key={row.id} id={row.id}>
              <th scope="row">
                {row.text}
                {row.note && <small>{row.note}</small>}
              </th>
              <td className="prices-unit">{row.unit}</td>
              <td className="prices-tiers">
                <Tiers tiers={row.tiers} />
                {row.next && (
                  <p>
                    {row.next.unit}: +&nbsp;{formatPrice(row.next.price)}
                  </p>
                )}
              </td>
              {minimum && <td className="prices-minimum">{row.minimum !== undefined && formatPrice(row.minimum)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {group.note && <p className="prices-note">{group.note}</p>}
    </>
  );
}

function Tiers({ tiers }: Pick<Rate, 'tiers'>) {
  return (
    <ul>
      {tiers.map(({ from, price }) => (
        <li key={from}>
          <span>от {formatCount(from)}</span> {formatPrice(price)}
        </li>
      ))}
    </ul>
  );
}
