import { formatCount, formatDate, formatPrice } from '../design/format.ts';
import type { Calculator, Content } from '../model/content.ts';
import { type Calculation, type Line, type Plurals, plural } from './calculation.ts';

/** What visitors read where no sum can be named. */
export const individually = 'индивидуально';

/** What is multiplied with what: `1 200 шт. × 11 ₽`, `1 000 шт. × (11 ₽ + 2 × 0,80 ₽)`. */
export function product(words: Plurals, { factors, price, next }: Line): string {
  const counts = factors.map(({ count, unit }) => `${formatCount(count)}\u00A0${plural(words, unit, count)}`);
  const litres =
    next && `${next.count === 1 ? '' : `${formatCount(next.count)}\u00A0×\u00A0`}${formatPrice(next.price)}`;
  const charged = litres === undefined ? formatPrice(price) : `(${formatPrice(price)} + ${litres})`;
  return [...counts, charged].join(' × ');
}

/** `минимум 1 900 ₽ вместо 1 120 ₽`; `undefined` where the smallest charge does not matter. */
export function minimum(line: Line): string | undefined {
  if (line.sum === line.product) return undefined;
  return `минимум ${formatPrice(line.sum)} вместо ${formatPrice(line.product)}`;
}

/** A whole line: `1 200 шт. × 11 ₽ = 13 200 ₽`, or `2 короба × 560 ₽, минимум 1 900 ₽ вместо 1 120 ₽`. */
function formula(words: Plurals, line: Line): string {
  const instead = minimum(line);
  return product(words, line) + (instead === undefined ? ` = ${formatPrice(line.sum)}` : `, ${instead}`);
}

/** What the sum rests on besides the prices, as sentences. */
export function assumptions(calculator: Calculator, { order, litres, places }: Calculation): string[] {
  const scheme = calculator.schemes.find(({ id }) => id === order.scheme);
  const packaging = calculator.packaging.find(({ id }) => id === order.packaging);
  const { free } = calculator.storage;
  return [
    `Объём единицы\u00A0— ${formatCount(litres)}\u00A0л, с округлением вверх.`,
    ...(places?.estimated ? [estimate(calculator, places)] : []),
    ...(places === undefined ? [] : ['К нам груз приезжает в стольких же местах, в скольких уезжает.']),
    ...(calculator.places[order.place].note === undefined ? [] : [calculator.places[order.place].note ?? '']),
    ...(scheme?.packed && packaging && packaging.operations.length > 0
      ? [`Упаковка входит в цену ${scheme.name}: отдельной строки нет.`]
      : []),
    ...(order.days > 0 ? [`Первые ${free}\u00A0сут. хранения бесплатны, дальше считаем всю партию на весь срок.`] : []),
    ...(scheme?.note === undefined ? [] : [scheme.note]),
  ];
}

function estimate(calculator: Calculator, { kind, count }: NonNullable<Calculation['places']>): string {
  const { unit, fill } = calculator.places[kind];
  const places = `${formatCount(count)} ${plural(calculator, unit, count)}`;
  return `${places}\u00A0— наша оценка по объёму и весу, место заполнено на ${fill}\u00A0%. Если знаете число, укажите его.`;
}

/** The order in a line: marketplace, scheme, units, size, weight, warehouse. */
export function orderSummary(calculator: Calculator, { order, places }: Calculation): string {
  const marketplace = calculator.marketplaces.find(({ id }) => id === order.marketplace)?.text;
  const scheme = calculator.schemes.find(({ id }) => id === order.scheme)?.name;
  const warehouse = calculator.warehouses.find(({ id }) => id === order.warehouse)?.text;
  return [
    marketplace,
    scheme,
    `${formatCount(order.units)}\u00A0шт.`,
    `${order.size.map((side) => decimal(side, 1)).join('×')}\u00A0см`,
    `${decimal(order.weight, 3)}\u00A0кг`,
    places &&
      `${formatCount(places.count)}\u00A0${plural(calculator, calculator.places[places.kind].unit, places.count)}`,
    warehouse,
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}

/** The whole calculation as plain text, for those who call: the order, each line with its formula, the total. */
export function calculationText(content: Content, calculation: Calculation, address: string): string {
  const { calculator, rates } = content;
  const { lines, beyond, total, perUnit } = calculation;
  const whole =
    total === undefined || perUnit === undefined
      ? [`Итого: ${individually}`]
      : [`Итого: ${formatPrice(total)}, на единицу ${formatPrice(perUnit)}`];
  return [
    orderSummary(calculator, calculation),
    ...lines.map((line) => `${line.text}: ${formula(calculator, line)}`),
    ...beyond.map(({ text, why }) => `${text}: ${individually}, ${why}`),
    ...whole,
    `Цены с ${formatDate(rates.effective)}, ${address}`,
  ]
    .join('\n')
    .replaceAll('\u00A0', ' ');
}

/** An integer with so many of its digits behind the comma: `decimal(205, 1)` is `20,5`. */
function decimal(number: number, decimals: number): string {
  const digits = String(number).padStart(decimals + 1, '0');
  const part = digits.slice(-decimals).replace(/0+$/, '');
  const whole = digits.slice(0, -decimals);
  return part === '' ? whole : `${whole},${part}`;
}
