import { formatCount, formatPrice } from '../../lib/format.ts';
import type { Rate, RateGroup } from '../../model/content.ts';
import type { DensityPrice } from '../../pricing/density.ts';
import { PriceTable } from './price-table.tsx';
import '../../components/prose/prose-block.css';
import './price-grid.css';

type Props = { group: RateGroup; vat: string; answer?: DensityPrice | undefined };

/** Prices for a kilogram by density and weight as a grid, if the group has a caption for it; all others as a list. */
export function PriceGrid({ group, vat, answer }: Props) {
  const rows = group.grid === undefined ? [] : gridRows(group.rows);
  const others = { ...group, rows: group.rows.filter((row) => !rows.includes(row)) };
  const [first] = rows;
  return (
    <>
      {first && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: only what has the focus scrolls by keyboard
        <section className="scroll" tabIndex={0} aria-label={group.grid}>
          <table className="price-grid">
            <caption>
              <b>{group.grid}</b>, за {first.unit}
              {first.minimum !== undefined && `, не меньше ${formatPrice(first.minimum)}`}
            </caption>
            <thead>
              <tr>
                <th scope="col">Плотность</th>
                {columnsOf(first).map((text) => (
                  <th key={text} scope="col">
                    {text}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id} aria-current={row.id === answer?.rate.id || undefined}>
                  <th scope="row">{densityText(row, group.rows)}</th>
                  {row.tiers.map(({ from, price }) => (
                    <td
                      key={from}
                      aria-current={(row.id === answer?.rate.id && from === answer.tier.from) || undefined}
                    >
                      {formatPrice(price)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <PriceTable group={others} vat={vat} current={answer?.rate.id} />
    </>
  );
}

/** Rows of one table have the same minimum and the same steps. */
function gridRows(rows: readonly Rate[]): Rate[] {
  const [first, ...others] = rows.filter(({ density }) => density?.by === 'weight');
  const form = ({ minimum, tiers }: Rate) => JSON.stringify([minimum, tiers.map(({ from }) => from)]);
  return first ? [first, ...others.filter((row) => form(row) === form(first))] : [];
}

/** `от 400 кг/м³`, or `300–399 кг/м³` below the next density */
function densityText({ density }: Rate, rows: readonly Rate[]): string {
  const { from = 0 } = density ?? {};
  const next = Math.min(...rows.flatMap((row) => (row.density && row.density.from > from ? row.density.from : [])));
  const range = Number.isFinite(next)
    ? `${formatCount(from)}–${formatCount(next - 1)}`
    : `от\u00A0${formatCount(from)}`;
  return `${range}\u00A0кг/м³`;
}

function columnsOf({ unit, tiers }: Rate): string[] {
  return tiers.map(({ from }, index) => {
    const next = tiers[index + 1];
    if (index === 0 && from === 1) return next ? `до ${formatCount(next.from)} ${unit}` : `за ${unit}`;
    return `от ${formatCount(from)}`;
  });
}
