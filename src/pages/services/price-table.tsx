import { formatCount, formatPrice } from '../../lib/format.ts';
import type { Rate, RateGroup } from '../../model/content.ts';
import './price-table.css';

type Props = {
  group: RateGroup;
  /** It is omitted if the page already states it. */
  vat?: string;
  /** Addresses of the calculator, by rate. */
  links?: Readonly<Record<string, string>>;
  /** The rate of the visitor's order. */
  current?: string | undefined;
};

export function PriceTable({ group: { title, note, rows }, vat, links = {}, current }: Props) {
  return (
    <>
      <table className="prices" aria-label={title}>
        {vat && <caption>{vat}</caption>}
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} row={row} link={links[row.id]} current={row.id === current} />
          ))}
        </tbody>
      </table>
      {note && <p className="prices-note">{note}</p>}
    </>
  );
}

function Row({ row, link, current }: { row: Rate; link: string | undefined; current: boolean }) {
  const { text, note, next, minimum, unit, tiers } = row;
  const more = [
    note,
    next && `${next.unit}: +\u00A0${formatPrice(next.price)}`,
    minimum !== undefined && `минимум\u00A0${formatPrice(minimum)}`,
  ].filter((part) => typeof part === 'string');
  return (
    <tr aria-current={current || undefined}>
      <th scope="row">
        {link === undefined ? text : <a href={link}>{text}</a>}
        {more.length > 0 && <small>{more.join(', ')}</small>}
      </th>
      {tiers.map((tier, index) => (
        <td key={tier.from}>{index === 0 ? firstTier(tier, unit) : tierText(tier)}</td>
      ))}
    </tr>
  );
}

type Tier = Rate['tiers'][number];

/** `45 ₽/короб`. With a space before the unit, typography would take «кг» for a short word and bind it to the next. */
function firstTier(tier: Tier, unit: string): string {
  return `${tier.from > 1 ? tierText(tier) : formatPrice(tier.price)}/${unit}`;
}

function tierText({ from, price }: Tier): string {
  return `от\u00A0${formatCount(from)}\u00A0— ${formatPrice(price)}`;
}
