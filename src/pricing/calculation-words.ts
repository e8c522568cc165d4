import { formatCount, formatList, formatPrice, onDay } from '../lib/format.ts';
import type { Calculator } from '../model/content.ts';
import {
  type Calculation,
  type Containers,
  genitiveForm,
  type Line,
  type Order,
  type Plurals,
  unitForm,
} from './calculation.ts';
import type { Term } from './term.ts';

/** `1 200 шт. × 11 ₽`, `1 000 шт. × (11 ₽ + 2 × 0,80 ₽)` */
function product(words: Plurals, { factors, price, next }: Line): string {
  const counts = factors.map(({ count, unit }) => `${formatCount(count)}\u00A0${unitForm(words, unit, count)}`);
  const litres =
    next && `${next.count === 1 ? '' : `${formatCount(next.count)}\u00A0×\u00A0`}${formatPrice(next.price)}`;
  const charged = litres === undefined ? formatPrice(price) : `(${formatPrice(price)} + ${litres})`;
  return [...counts, charged].join(' × ');
}

/** `1 200 шт. × 11 ₽`, or `2 короба × 560 ₽, минимум 1 900 ₽ вместо 1 120 ₽` */
export function formula(words: Plurals, line: Line): string {
  if (line.sum === line.product) return product(words, line);
  return `${product(words, line)}, минимум ${formatPrice(line.sum)} вместо ${formatPrice(line.product)}`;
}

/** `От 2 000 шт. — 10,50 ₽ вместо 12,50 ₽`; `undefined` at the lowest price, or when the minimum charge applies */
export function cheaper(words: Plurals, { larger, price, next, product, sum }: Line): string | undefined {
  if (larger === undefined || sum !== product) return undefined;
  const { from, unit } = larger;
  const volume = `От\u00A0${formatCount(from)}\u00A0${genitiveForm(words, unit, from)}`;
  const what = next === undefined ? '\u00A0— ' : ' первый\u00A0литр\u00A0— ';
  return `${volume}${what}${formatPrice(larger.price)} вместо\u00A0${formatPrice(price)}`;
}

/** `без забора и хранения`; `undefined` if the total is whole */
export function leftOut({ beyond }: Calculation): string | undefined {
  if (beyond.length === 0) return undefined;
  return `без\u00A0${formatList(beyond.map(({ without }) => without))}`;
}

/** `В машину входит до 1 паллеты. Посчитаем отдельно и назовём день по телефону.`; `undefined` if the total is whole */
export function explanation({ order, beyond }: Calculation): string | undefined {
  if (beyond.length === 0) return undefined;
  const named = order.warehouse === undefined ? 'цену' : 'день';
  return [...beyond.map(({ why }) => why), `Посчитаем отдельно и\u00A0назовём ${named} по\u00A0телефону.`].join(' ');
}

/** Whether each unit is packed for a price of its own. */
export function isPacked(calculator: Calculator, { lines, order }: Calculation): boolean {
  const { operations = [] } = calculator.packaging.find(({ id }) => id === order.packaging) ?? {};
  return operations.some(({ rate }) => lines.some((line) => line.rate === rate));
}

/** None without a total. */
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

/** The same wherever they go. */
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

/** `Привезёте в понедельник, 23 ноября, и товар будет на складе Коледино в понедельник, 30 ноября` */
export function termText({ pickup }: Calculator, order: Order, { brought, departure, delivered }: Term): string {
  const collected = pickup.some(({ id, operations }) => id === order.pickup && operations.length > 0);
  const start = `${collected ? 'Заберём' : 'Привезёте'} ${onDay(brought)}`;
  return `${start}, и\u00A0товар будет на\u00A0складе ${departure.warehouse} ${onDay(delivered)}`;
}
