import { formatCount, formatPrice } from '../../lib/format.ts';
import type { Content } from '../../model/content.ts';
import { isWhole } from '../../pricing/calculation.ts';
import { workedExample } from '../../pricing/example.ts';
import { unitSummary } from '../../pricing/order-text.ts';
import '../../components/drawing.css';
import './price-ladder.css';

export type Ladder = {
  goods: string;
  steps: readonly { units: number; perUnit: number; href: string }[];
};

const volumes = [100, 1000, 5000, 10_000];

/** Counts the editors' example in other volumes. @returns `undefined` if too few of them have a price */
export function ladderOf(content: Pick<Content, 'calculator' | 'rates'>): Ladder | undefined {
  const steps = volumes.flatMap((units) => {
    const worked = workedExample(content, { units: String(units), places: '' });
    return worked && isWhole(worked.calculation) ? [{ ...worked, calculation: worked.calculation }] : [];
  });
  const [first] = steps;
  if (first === undefined || steps.length < 2) return undefined;
  const { order } = first.calculation;
  const to = content.calculator.warehouses.find(({ id }) => id === order.warehouse)?.text;
  return {
    goods: [unitSummary(order), to].filter((part) => part !== undefined).join(', '),
    steps: steps.map(({ calculation, href }) => ({
      units: calculation.order.units,
      perUnit: calculation.perUnit,
      href,
    })),
  };
}

/** Drawings are isometric; the dearest price is a stack of six cartons. */
const [front, foot, highest] = [32, 128, 96];
const carton = highest / 6;

export function PriceLadder({ ladder: { goods, steps } }: { ladder: Ladder }) {
  const dearest = Math.max(...steps.map(({ perUnit }) => perUnit));
  return (
    <figure className="ladder">
      <ul>
        {steps.map(({ units, perUnit, href }) => (
          <li key={units}>
            <a href={href}>
              <Stack height={Math.round((highest * perUnit) / dearest)} />
              {formatPrice(perUnit)}
            </a>{' '}
            {formatCount(units)}&nbsp;шт.
          </li>
        ))}
      </ul>
      <figcaption>За&nbsp;единицу, все работы и&nbsp;доставка: {goods}</figcaption>
    </figure>
  );
}

/** Cartons are a little higher or lower, so that there is no part of one. */
function Stack({ height }: { height: number }) {
  const count = Math.max(1, Math.round(height / carton));
  const seams = Array.from({ length: count - 1 }, (_, index) => foot - Math.round((height * (index + 1)) / count));
  const along = (side: string) => seams.map((y) => `M${front} ${y}${side}`).join('');
  return (
    <svg className="drawing" viewBox="0 0 56 130" width="56" height="130" aria-hidden="true">
      <path d={`M${front} ${foot}l-30-17v-${height}l30 17z${along('l-30-17')}`} />
      <path className="fill-carton-dark" d={`M${front} ${foot}l22-13v-${height}l-22 13z${along('l22-13')}`} />
      <path className="fill-kraft" d={`M${front} ${foot - height}l-30-17 22-13 30 17z`} />
    </svg>
  );
}
