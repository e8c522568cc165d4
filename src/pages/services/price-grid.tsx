import { formatCount, formatPrice } from '../../lib/format.ts';
import type { Rate, RateGroup } from '../../model/content.ts';
import type { DensityPrice } from '../../pricing/density.ts';
import { PriceTable } from './price-table.tsx';
import '../../components/prose/prose-block.css';
import './price-grid.css';

/** Fewer rows are easier to read as a list. */
const minRows = 3;

type Props = { group: RateGroup; vat: string; found?: DensityPrice | undefined };

/** Prices that depend on two things, such as density and weight: the first rows as a grid, the others as a list. */
export function PriceGrid({ group, vat, found }: Props) {
  const rows = gridRows(group.rows);
  const [first] = rows;
  if (first === undefined) return <PriceTable group={group} vat={vat} current={found?.rate.id} />;
  const { title = group.title, heading = 'Услуга', labels } = namesOf(rows);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: only what has the focus scrolls by keyboard */}
      <section className="scroll" tabIndex={0} aria-label={title}>
        <table className="price-grid">
          <caption>
            <b>{title}</b>, за {first.unit}
            {first.minimum !== undefined && `, не меньше ${formatPrice(first.minimum)}`}
          </caption>
          <thead>
            <tr>
              <th scope="col">{heading}</th>
              {columnsOf(first).map((text) => (
                <th key={text} scope="col">
                  {text}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, tiers }, index) => (
              <tr key={id} aria-current={id === found?.rate.id || undefined}>
                <th scope="row">{labels[index]}</th>
                {tiers.map(({ from, price }) => (
                  <td key={from} aria-current={(id === found?.rate.id && from === found.tier.from) || undefined}>
                    {formatPrice(price)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <PriceTable group={{ ...group, rows: group.rows.slice(rows.length) }} vat={vat} current={found?.rate.id} />
    </>
  );
}

/** The rows from the first on that have its unit, minimum and steps. */
function gridRows([first, ...others]: readonly Rate[]): Rate[] {
  if (first === undefined) return [];
  const form = ({ unit, minimum, tiers }: Rate) => JSON.stringify([unit, minimum, tiers.map(({ from }) => from)]);
  const end = others.findIndex((row) => form(row) !== form(first));
  const rows = [first, ...(end === -1 ? others : others.slice(0, end))];
  return rows.length < minRows ? [] : rows;
}

/** `Китай, авто, плотность от 400 кг/м³` -> the table «Китай, авто», the column «Плотность», the row «от 400 кг/м³». */
function namesOf(rows: readonly Rate[]) {
  const words = rows.map(({ text }) => text.split(' '));
  const [first = []] = words;
  const differ = first.findIndex((word, index) => words.some((others) => others[index] !== word));
  const common = first.slice(0, Math.max(differ, 0)).join(' ');
  const [, title = common, heading = ''] = /^(.*),(?: (.*))?$/.exec(common) ?? [];
  return {
    title: title || undefined,
    heading: heading.charAt(0).toUpperCase() + heading.slice(1) || undefined,
    labels: words.map((all) => all.slice(Math.max(differ, 0)).join(' ')),
  };
}

function columnsOf({ unit, tiers }: Rate): string[] {
  return tiers.map(({ from }, index) => {
    const next = tiers[index + 1];
    if (index === 0 && from === 1) return next ? `до ${formatCount(next.from)} ${unit}` : `за ${unit}`;
    return `от ${formatCount(from)}`;
  });
}
