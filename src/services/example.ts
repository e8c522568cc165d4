import type { Content } from '../model/content.ts';
import { type Calculation, calculate } from './calculation.ts';
import { calculatorPath, orderQuery, readOrder } from './order.ts';

/** The editors' example; `undefined` if it is incomplete. */
export function workedExample({
  calculator,
  rates,
}: Pick<Content, 'calculator' | 'rates'>): { calculation: Calculation; href: string } | undefined {
  const { values, order } = readOrder(calculator, calculator.example);
  const calculation = order && calculate(rates, calculator, order);
  return calculation && { calculation, href: calculatorPath(orderQuery(values)) };
}
