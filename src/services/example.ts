import type { Content } from '../model/content.ts';
import { type Calculation, calculate } from './calculation.ts';
import { calculatorPath, type OrderValues, orderQuery, readOrder } from './order.ts';

type Example = { calculation: Calculation; href: string };

type Priced = Pick<Content, 'calculator' | 'rates'>;

/** The editors' example; `undefined` if it is incomplete. */
export function workedExample({ calculator, rates }: Priced, about: Partial<OrderValues> = {}): Example | undefined {
  const { values, order } = readOrder(calculator, { ...calculator.example, ...about });
  const calculation = order && calculate(rates, calculator, order);
  return calculation && { calculation, href: calculatorPath(orderQuery(values)) };
}

/** The same goods to the first warehouse of each marketplace; the editors' example comes first. */
export function examplesByMarketplace(content: Priced): readonly (Example & { marketplace: string })[] {
  const { marketplaces, warehouses, example } = content.calculator;
  const isOwn = ({ id }: { id: string }) => id === example.mp;
  return marketplaces
    .toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)))
    .flatMap((marketplace) => {
      const { id, text } = marketplace;
      const to = warehouses.find((warehouse) => warehouse.marketplaces.includes(id))?.id;
      const found = workedExample(content, isOwn(marketplace) ? {} : { mp: id, to });
      return found ? [{ ...found, marketplace: text }] : [];
    });
}
