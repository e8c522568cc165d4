import { type PageAction, presetAction } from '../../components/action.tsx';
import { type Calculator, type Content, hasPage, type RateGroup } from '../../model/content.ts';
import { generalPresetOf } from '../../model/preset-title.ts';
import { calculatorAddress, calculatorPath, type OrderValues, orderFields } from './order-fields.ts';

export const countText = 'Посчитать цену';

/** What most visitors come for. */
export function countAction(content: Pick<Content, 'pages' | 'presets'>): PageAction {
  if (hasPage(content, 'calc')) return { href: calculatorAddress, text: countText };
  return presetAction(generalPresetOf(content));
}

type Answers = Partial<OrderValues>;

/** By rate: what fills the form in so that the order has its line. */
export function answersByRate(calculator: Calculator): ReadonlyMap<string, Answers> {
  const { schemes, packaging, marking, verification, receiving, storage, warehouses, pickup, limits } = calculator;
  const answers = new Map<string, Answers>();
  const add = (operations: Calculator['receiving'], given: Answers) => {
    for (const { rate, for: place, of } of operations) {
      const km = of === 'km' ? { km: String(Math.min(30, limits.km)) } : {};
      if (!answers.has(rate)) answers.set(rate, { ...given, ...(place && { place }), ...km });
    }
  };
  add(receiving, {});
  const questions = { scheme: schemes, pack: packaging, mark: marking, check: verification, pickup };
  for (const [field, choices] of Object.entries(questions))
    for (const { id, operations } of choices) add(operations, { [field]: id });
  add(storage.operations, { days: String(Math.max(30, storage.free + 1)) });
  for (const { id, rates } of warehouses)
    for (const place of ['box', 'pallet'] as const) answers.set(rates[place], { to: id, place });
  return answers;
}

/** Addresses by rate: an order that has its line. Empty without a calculator. */
export function calculationsByRate(content: Pick<Content, 'pages' | 'calculator'>): ReadonlyMap<string, string> {
  if (!hasPage(content, 'calc')) return new Map();
  return new Map([...answersByRate(content.calculator)].map(([rate, answers]) => [rate, calculatorWith(answers)]));
}

export function calculatorWith(answers: Answers): string {
  return calculatorPath(orderFields.flatMap((field) => (answers[field] ? `${field}=${answers[field]}` : [])).join('&'));
}

/** Fills the form with the first line of each group. @returns `undefined` if the calculator has no such line */
export function calculatorOf(calculator: Calculator, groups: readonly Pick<RateGroup, 'rows'>[]): string | undefined {
  const known = answersByRate(calculator);
  const counted = groups.flatMap(({ rows }) => rows.flatMap(({ id }) => known.get(id) ?? []).slice(0, 1));
  return counted.length === 0 ? undefined : calculatorWith(Object.assign({}, ...counted));
}
