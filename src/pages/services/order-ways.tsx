import { formatPrice } from '../../lib/format.ts';
import type { Content } from '../../model/content.ts';
import { alternativesTo } from '../../pricing/alternatives.ts';
import { leftOut } from '../../pricing/bill.ts';
import type { Calculation } from '../../pricing/calculation.ts';
import { calculatorPath, type OrderValues, orderQuery } from '../../pricing/order-fields.ts';
import { containersText } from '../../pricing/order-text.ts';
import './order-ways.css';

export type OrderWay = {
  text: string;
  total: string;
  /** Percent of the dearest total. */
  share: number;
  /** Only better orders have a link. */
  href?: string;
  notes: readonly string[];
};

/**
 * Prices the requested order and its alternatives. There are no ways without an alternative.
 *
 * @param values of the order
 */
export function waysOf(
  content: Pick<Content, 'rates' | 'calculator'>,
  calculation: Calculation,
  values: OrderValues,
): OrderWay[] {
  const { calculator } = content;
  const { order, total } = calculation;
  const others = alternativesTo(content, calculation);
  if (others.length === 0) return [];
  const dearest = Math.max(total ?? 0, ...others.map((other) => other.calculation.total));
  const shareOf = (sum: number) => Math.round((100 * sum) / dearest);
  const packed = ({ order, containers }: Calculation) =>
    containers ? containersText(calculator, containers) : calculator.places[order.container].text;
  const asked =
    total === undefined
      ? []
      : [
          {
            text: [packed(calculation), leftOut(calculation)].join(' ').trim(),
            total: formatPrice(total),
            share: shareOf(total),
            notes: [],
          },
        ];
  return [
    ...asked,
    ...others.map(({ calculation: other, isBetter }) => {
      const { container, containers, pickup } = other.order;
      const car = pickup === order.pickup ? undefined : calculator.pickup.find(({ id }) => id === pickup)?.text;
      const isSame = container === order.container;
      const moved = isSame ? {} : { place: container, places: String(containers ?? '') };
      const saved = (total ?? 0) - other.total;
      const notes = [
        saved > 0 && `Дешевле на\u00A0${formatPrice(saved)}`,
        car,
        isBetter && !isSame && calculator.places[container].note,
      ];
      return {
        text: isSame ? 'Другой машиной' : packed(other),
        total: formatPrice(other.total),
        share: shareOf(other.total),
        ...(isBetter && { href: calculatorPath(orderQuery({ ...values, ...moved, pickup })) }),
        notes: notes.filter((note) => typeof note === 'string'),
      };
    }),
  ];
}

export function OrderWays({ ways }: { ways: readonly OrderWay[] }) {
  if (ways.length === 0) return null;
  return (
    <ul className="ways">
      {ways.map(({ text, total, share, href, notes }) => {
        const bar = (
          <>
            {text} <b>{total}</b>
            <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
              <path d={`M0 0h${share}v8H0z`} />
            </svg>
          </>
        );
        return (
          <li key={text}>
            {href === undefined ? <span>{bar}</span> : <a href={href}>{bar}</a>}
            {notes.length > 0 && <small>{notes.join('. ')}</small>}
          </li>
        );
      })}
    </ul>
  );
}
