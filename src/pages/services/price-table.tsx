import { formatCount, formatPrice } from '../../lib/format.ts';
import type { Rate, RateGroup } from '../../model/content.ts';
import './price-table.css';

type Props = {
  group: RateGroup;
  /** Omitted if the page already states it. */
  vat?: string;
  /** By rate: the calculator with its line. */
  links?: Readonly<Record<string, string>>;
};

/** A price list has a thousand cells, so each cell is one element. Its first line is the price of one unit. */
export function PriceTable({ group: { title, note, rows }, vat, links = {} }: Props) {
  return (
    <>
      <table className="prices">
        <caption>
          <span className="visually-hidden">{title}. </span>
          {vat !== undefined && `${vat}, цена единицы зависит от количества`}
        </caption>
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} row={row} link={links[row.id]} />
          ))}
        </tbody>
      </table>
      {note && <p className="prices-note">{note}</p>}
    </>
  );
}

function Row({ row, link }: { row: Rate; link: string | undefined }) {
  const { id, text, note, next, minimum } = row;
  const more = [
    note,
    next && `${next.unit}: +\u00A0${formatPrice(next.price)}`,
    minimum !== undefined && `минимум\u00A0${formatPrice(minimum)}`,
  ].filter((part) => typeof part === 'string');
  return (
    <tr id={id}>
      <th scope="row">
        {link === undefined ? text : <a href={link}>{text}</a>}
        {more.length > 0 && <small>{more.join(', ')}</small>}
      </th>
      <td>{pricesOf(row)}</td>
    </tr>
  );
}

/**
 * Two lines: `45 ₽/короб`, and `от 30 — 38 ₽ · от 100 — 32 ₽`. With a space before the unit,
 * typography would take «кг» for a short word and bind it to the next line.
 */
function pricesOf({ unit, tiers: [first, ...larger] }: Rate): string {
  const from = (tier: Rate['tiers'][number]) => `от\u00A0${formatCount(tier.from)}\u00A0— ${formatPrice(tier.price)}`;
  const one = first && (first.from > 1 ? from(first) : formatPrice(first.price));
  const rest = larger.map((tier) => from(tier).replace(' ', '\u00A0'));
  return [`${one}/${unit}`, rest.join('\u00A0· ')].join('\n').trimEnd();
}
