import { formatCount, formatList } from '../lib/format.ts';
import type { Calculator } from '../model/content.ts';
import { type Calculation, type Containers, type Order, unitForm } from './calculation.ts';

/** Whether packing has a price of its own. */
export function isPacked(calculator: Calculator, { lines, order }: Calculation): boolean {
  const { operations = [] } = calculator.packaging.find(({ id }) => id === order.packaging) ?? {};
  return operations.some(({ rate }) => lines.some((line) => line.rate === rate));
}

/** @returns none without a total */
export function assumptions(calculator: Calculator, { order, litres, containers, total }: Calculation): string[] {
  if (containers === undefined || total === undefined) return [];
  const scheme = calculator.schemes.find(({ id }) => id === order.scheme);
  const { free } = calculator.storage;
  return [
    `Единица занимает до\u00A0${formatCount(litres)}\u00A0л.`,
    containers.estimated && estimate(calculator, containers),
    `Считаем, что к\u00A0нам приедет столько же: ${containersText(calculator, containers)}. В\u00A0счёт войдёт, сколько приехало.`,
    calculator.places[order.container].note,
    scheme?.packed && `Упаковка входит в цену ${scheme.name}.`,
    order.days > 0 && free > 0 && `${firstDays(free)} хранения бесплатны, дальше считаем всю партию на весь срок.`,
    scheme?.note,
  ].filter((note) => typeof note === 'string');
}

export function firstDays(free: number): string {
  return free === 1 ? 'Первые сутки' : `Первые ${free}\u00A0суток`;
}

function estimate(calculator: Calculator, containers: Containers): string {
  const { fill } = calculator.places[containers.container];
  const count = containersText(calculator, containers);
  return `${count}: наша оценка по объёму и весу, при заполнении на ${fill}\u00A0%. Знаете точное число? Укажите его.`;
}

/** `40 коробов` */
export function containersText(calculator: Calculator, { container, count }: Containers): string {
  return `${formatCount(count)}\u00A0${unitForm(calculator, calculator.places[container].unit, count)}`;
}

export function orderSummary(calculator: Calculator, calculation: Calculation): string {
  const { marketplace, warehouse } = calculation.order;
  return [
    calculator.marketplaces.find(({ id }) => id === marketplace)?.text,
    goodsSummary(calculator, calculation),
    calculator.warehouses.find(({ id }) => id === warehouse)?.text,
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}

/** `FBO, 100 шт., 20×15×8 см, 0,3 кг, 2 короба`, without where they go */
export function goodsSummary(calculator: Calculator, { order, containers }: Calculation): string {
  return [
    calculator.schemes.find(({ id }) => id === order.scheme)?.name,
    `${formatCount(order.units)}\u00A0шт.`,
    unitSummary(order),
    containers && containersText(calculator, containers),
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}

/** `20×10×5 см, 0,5 кг` */
export function unitSummary({ size, weight }: Order): string {
  const sides = size.map((millimetres) => formatCount(millimetres / 10)).join('×');
  return `${sides}\u00A0см, ${formatCount(weight / 1000)}\u00A0кг`;
}

/** `1 500 шт. → Коледино` */
export function shortSummary({ warehouses, schemes }: Calculator, { units, warehouse, scheme }: Order): string {
  const goal = warehouses.find(({ id }) => id === warehouse)?.text ?? schemes.find(({ id }) => id === scheme)?.name;
  return `${formatCount(units)}\u00A0шт. → ${goal}`;
}

/** `Коледино принимает только Wildberries, поэтому посчитали до склада Хоругвино.` */
export function refusal(
  { marketplaces, warehouses }: Calculator,
  refused: Calculator['warehouses'][number],
  { warehouse }: Order,
): string {
  const owners = marketplaces.filter(({ id }) => refused.marketplaces.includes(id)).map(({ text }) => text);
  const taken = warehouses.find(({ id }) => id === warehouse)?.text;
  return `${refused.text} принимает только ${formatList(owners)}, поэтому посчитали до\u00A0склада ${taken}.`;
}
