import { type PageAction, presetAction } from '../../components/action.tsx';
import { type Calculator, type Content, hasPage, type RateGroup } from '../../model/content.ts';
import { generalPresetOf } from '../../model/preset-title.ts';
import { calculate } from '../../pricing/calculation.ts';
import {
  calculatorAddress,
  calculatorPath,
  type OrderValues,
  orderFields,
  orderQuery,
} from '../../pricing/order-fields.ts';
import { type OrderReading, readOrder, readOrExample, withExample } from '../../pricing/read-order.ts';

export const countText = 'Посчитать цену';

/** Most visitors come for a price. */
export function countAction(content: Pick<Content, 'pages' | 'presets'>): PageAction {
  if (hasPage(content, 'calc')) return { href: calculatorAddress, text: countText };
  return presetAction(generalPresetOf(content));
}

type Answers = Partial<OrderValues>;

/** Answers by rate. They fill the form in so that the order has a line of that rate. */
export function answersByRate(calculator: Calculator): ReadonlyMap<string, Answers> {
  const { schemes, packaging, marking, verification, receiving, storage, warehouses, pickup, limits } = calculator;
  const answers = new Map<string, Answers>();
  const add = (operations: Calculator['receiving'], more: Answers) => {
    for (const { rate, for: container, of } of operations) {
      const km = of === 'km' ? { km: String(Math.min(30, limits.km)) } : {};
      if (!answers.has(rate)) answers.set(rate, { ...more, ...(container && { place: container }), ...km });
    }
  };
  add(receiving, {});
  const questions = { scheme: schemes, pack: packaging, mark: marking, check: verification, pickup };
  for (const [field, choices] of Object.entries(questions))
    for (const { id, operations } of choices) add(operations, { [field]: id });
  add(storage.operations, { days: String(Math.max(30, storage.free + 1)) });
  for (const { id, rates } of warehouses)
    for (const container of ['box', 'pallet'] as const) answers.set(rates[container], { to: id, place: container });
  return answers;
}

/** Addresses by rate. The order has a line of that rate. There are none without a calculator. */
export function calculationsByRate(
  content: Pick<Content, 'pages' | 'calculator' | 'rates'>,
): ReadonlyMap<string, string> {
  if (!hasPage(content, 'calc')) return new Map();
  const addresses = [...answersByRate(content.calculator)].flatMap(([rate, answers]) => {
    const address = orderWith(content, [rate], answers);
    return address === undefined ? [] : ([[rate, address]] as const);
  });
  return new Map(addresses);
}

/** They are tried where the example does not fit into the car, or does not reach the first tier. */
const otherUnits = [100, 10, 1, 10_000];

/** @returns the address of an order with lines of all these rates, if there is one */
function orderWith(
  { calculator, rates }: Pick<Content, 'calculator' | 'rates'>,
  wanted: readonly string[],
  answers: Answers,
): string | undefined {
  const hasLines = ({ order }: OrderReading) => {
    const lines = order ? calculate(rates, calculator, order).lines : [];
    return wanted.every((rate) => lines.some((line) => line.rate === rate));
  };
  if (hasLines(readOrExample(calculator, answers))) return calculatorWith(answers);
  const query = { ...withExample(calculator, answers), places: '' };
  const other = otherUnits.map((units) => readOrder(calculator, { ...query, units: String(units) })).find(hasLines);
  return other && calculatorPath(orderQuery(other.values));
}

export function calculatorWith(answers: Answers): string {
  return calculatorPath(orderFields.flatMap((field) => (answers[field] ? `${field}=${answers[field]}` : [])).join('&'));
}

/** The order has the first line of each group, or of the first group. @returns `undefined` if there is no such order */
export function calculatorOf(
  content: Pick<Content, 'calculator' | 'rates'>,
  groups: readonly Pick<RateGroup, 'rows'>[],
): string | undefined {
  const answers = answersByRate(content.calculator);
  const counted = groups.flatMap(({ rows }) => rows.filter(({ id }) => answers.has(id)).slice(0, 1));
  const addressOf = (rates: readonly string[]) =>
    orderWith(content, rates, Object.assign({}, ...rates.map((rate) => answers.get(rate))));
  if (counted.length === 0) return undefined;
  const rates = counted.map(({ id }) => id);
  return addressOf(rates) ?? addressOf(rates.slice(0, 1));
}
