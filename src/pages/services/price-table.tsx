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

/** A price list has hundreds of prices, so all larger tiers of a row are one text. */
export function PriceTable({ group: { title, note, rows }, vat, links = {}, current }: Props) {
  return (
    <>
      <table className="prices">
        <caption className={vat === undefined ? 'visually-hidden' : undefined}>
          {vat === undefined ? `${title}.` : <span className="visually-hidden">{title}. </span>}
          {vat}
        </caption>
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
  const { text, note, next, minimum } = row;
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
      <td>
        <b>{firstTier(row)}</b>
        {largerTiers(row)}
      </td>
    </tr>
  );
}

/** `\t` and `от 500 — 11,50 ₽` for each larger tier: the styles place a tier at each tab. */
function largerTiers({ tiers: [, ...larger] }: Rate): string {
  return larger.map((tier) => `\t${tierText(tier).replaceAll(' ', '\u00A0')}`).join('');
}

/** `45 ₽/короб`. With a space before the unit, typography would take «кг» for a short word and bind it to the next. */
function firstTier({ unit, tiers: [first] }: Rate): string {
  return first ? `${first.from > 1 ? tierText(first) : formatPrice(first.price)}/${unit}` : '';
}

function tierText({ from, price }: Rate['tiers'][number]): string {
  return `от\u00A0${formatCount(from)}\u00A0— ${formatPrice(price)}`;
}
