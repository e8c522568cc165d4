import type { Content } from '../model/content.ts';
import { type Calculation, calculate } from './calculation.ts';
import { calculatorPath, type OrderValues, orderQuery } from './order-fields.ts';
import { readOrder } from './read-order.ts';

type Example = { calculation: Calculation; href: string };

type Priced = Pick<Content, 'calculator' | 'rates'>;

/** The editors' example; `undefined` if it is incomplete. */
export function workedExample({ calculator, rates }: Priced, changes: Partial<OrderValues> = {}): Example | undefined {
  const { values, order } = readOrder(calculator, { ...calculator.example, ...changes });
  const calculation = order && calculate(rates, calculator, order);
  return calculation && { calculation, href: calculatorPath(orderQuery(values)) };
}

/** Sends the same goods to the first warehouse of each marketplace; the editors' example comes first. */
export function examplesByMarketplace(
  content: Priced,
  changes: Partial<OrderValues> = {},
): readonly (Example & { marketplace: string })[] {
  const { marketplaces, example } = content.calculator;
  const isExample = ({ id }: { id: string }) => id === example.mp;
  return marketplaces
    .toSorted((a, b) => Number(isExample(b)) - Number(isExample(a)))
    .flatMap((marketplace) => {
      const worked = workedExample(content, isExample(marketplace) ? changes : { ...changes, mp: marketplace.id });
      return worked ? [{ ...worked, marketplace: marketplace.text }] : [];
    });
}
