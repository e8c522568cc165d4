import type { Calculator, Content } from '../model/content.ts';
import { type Calculation, calculate, isWhole, type Order, palletsFor, type WholeCalculation } from './calculation.ts';

export type Alternative = { calculation: WholeCalculation; isBetter: boolean };

/**
 * The same order in the other containers and by another car, as long as nothing is left out of the total. One is better if it
 * costs less, or if what was asked for cannot be counted whole.
 */
export function alternativesTo(
  { rates, calculator }: Pick<Content, 'rates' | 'calculator'>,
  calculation: Calculation,
): Alternative[] {
  const { order } = calculation;
  const cars = calculator.pickup.filter(({ operations }) => operations.length > 0).map(({ id }) => id);
  const choices = cars.includes(order.pickup) ? cars : [order.pickup];
  const cheapest = (changes: Partial<Order>) =>
    choices
      .map((pickup) => calculate(rates, calculator, { ...order, ...changes, pickup }))
      .filter(isWhole)
      .reduce<WholeCalculation | undefined>((best, one) => (best && best.total <= one.total ? best : one), undefined);
  const asked = isWhole(calculation) ? calculation : undefined;
  const car = cheapest({});
  const repacked = cheapest(inOtherContainers(calculator, order));
  const costsMore = (one: WholeCalculation | undefined, other: WholeCalculation) => !one || one.total > other.total;
  return [
    ...(repacked ? [{ calculation: repacked, isBetter: costsMore(asked ?? car, repacked) }] : []),
    ...(car && costsMore(asked, car) ? [{ calculation: car, isBetter: true }] : []),
  ];
}

/** Boxes that a visitor named are not fewer on pallets. */
function inOtherContainers(calculator: Calculator, order: Order): Pick<Order, 'container' | 'containers'> {
  if (order.container === 'pallet') return { container: 'box', containers: undefined };
  const pallets = order.containers === undefined ? undefined : palletsFor(calculator, order);
  return { container: 'pallet', containers: pallets?.count };
}
