import { formatCount } from '../lib/format.ts';
import { plural } from '../lib/plural.ts';
import type { Calculator, Rate, Rates } from '../model/content.ts';
import { tierAt } from './price-list.ts';

/* Amounts are integers: kopecks, millimetres, grams. What is outside the rates is named and left out of the total. */

export type Plurals = Pick<Calculator, 'plurals'>;

export type Container = keyof Calculator['places'];

/** The ids are those of `calculator.yaml`. */
export type Order = {
  marketplace: string;
  scheme: string;
  units: number;
  /** Length, width, height with packaging, in millimetres. */
  size: readonly [number, number, number];
  /** Grams, with packaging. */
  weight: number;
  packaging: string;
  marking: string;
  verification: string;
  days: number;
  container: Container;
  /** It is estimated if the visitor names no number. */
  containers: number | undefined;
  /** `undefined` for schemes without delivery. */
  warehouse: string | undefined;
  pickup: string;
  /** One way from the edge of the city. */
  km: number;
};

type Factor = { count: number; unit: string };

/** `factors × price = product`, with one or two factors; `next` is the price of the litres after the first one. */
export type Line = {
  rate: string;
  text: string;
  factors: readonly Factor[];
  price: number;
  next?: { count: number; price: number };
  /** The next tier, which is cheaper. */
  larger?: { from: number; unit: string; price: number };
  product: number;
  /** The product, or the minimum charge if that is higher. */
  sum: number;
};

/** A total leaves it out: `why` is a sentence, and `without` follows «без». */
type Beyond = { why: string; without: string };

export type Containers = {
  container: Container;
  count: number;
  /** Units in each container but the last one. */
  inOne: number;
  estimated: boolean;
};

export type Calculation = {
  order: Order;
  /** Per unit, rounded up. */
  litres: number;
  /** `undefined` beyond the limits. */
  containers: Containers | undefined;
  lines: readonly Line[];
  /** What the total leaves out. */
  beyond: readonly Beyond[];
  /** The sum of the lines; `undefined` without a line. */
  total: number | undefined;
  /** Rounded to a kopeck; `undefined` if the total leaves something out. */
  perUnit: number | undefined;
};

type Operation = Calculator['receiving'][number];

/** @throws if the order has unknown ids */
export function calculate(rates: Rates, calculator: Calculator, order: Order): Calculation {
  const litres = litresOf(order.size);
  const containers = containersOf(calculator, order);
  const outside = containers ? tooManyContainers(calculator, containers) : beyondLimits(calculator, order);
  if (containers === undefined || outside.length > 0) {
    return { order, litres, containers, lines: [], beyond: outside, total: undefined, perUnit: undefined };
  }

  const lines: Line[] = [];
  const beyond: Beyond[] = [];
  const add = (operations: readonly Operation[]) => {
    for (const operation of operations) {
      if (operation.for !== undefined && operation.for !== order.container) continue;
      const quantity = quantityOf(operation, order, containers.count, litres, calculator);
      if (quantity.count === 0) continue;
      const line = lineOf(calculator, rowOf(rates, operation.rate), quantity, litres);
      if ('sum' in line) lines.push(line);
      else beyond.push(line);
    }
  };

  const scheme = byId(calculator.schemes, order.scheme);
  const pickup = byId(calculator.pickup, order.pickup);
  const tooMuch = tooMuchFor(pickup, order, containers.count, calculator);
  if (tooMuch === undefined) add(pickup.operations);
  else beyond.push({ why: tooMuch, without: 'забора' });
  add(calculator.receiving);
  add(byId(calculator.verification, order.verification).operations);
  if (!scheme.packed) add(byId(calculator.packaging, order.packaging).operations);
  add(byId(calculator.marking, order.marking).operations);
  add(scheme.operations);
  if (order.days <= calculator.limits.days) add(calculator.storage.operations);
  else beyond.push({ why: `Хранение дольше ${calculator.limits.days} суток.`, without: 'хранения' });
  if (order.warehouse !== undefined) {
    const { rates: delivery } = byId(calculator.warehouses, order.warehouse);
    add([{ rate: delivery[order.container], of: 'place', per: 1, times: 1 }]);
  }

  const total = lines.length === 0 ? undefined : lines.reduce((sum, line) => sum + line.sum, 0);
  const perUnit = total === undefined || beyond.length > 0 ? undefined : divideHalfUp(total, order.units);
  return { order, litres, containers, lines, beyond, total, perUnit };
}

/** Its total leaves nothing out. */
export type WholeCalculation = Calculation & { total: number; perUnit: number };

export function isWhole(calculation: Calculation): calculation is WholeCalculation {
  return calculation.perUnit !== undefined;
}

/** A lower bound: every container is completely full. */
export function fewestContainers({ places }: Calculator, { container, size, weight, units }: Order): number {
  const { size: room, weight: most } = places[container];
  return Math.max(
    divideUp(units * volume(size), volume(inMillimetres(room))),
    divideUp(units * weight, most * gramsInKilogram),
  );
}

export function unitForm({ plurals }: Plurals, unit: string, count: number): string {
  const forms = plurals[unit];
  return forms === undefined ? unit : plural(count, forms);
}

/** After «до», «больше» and «не меньше», which take the genitive: до 21 короба, до 22 коробов. */
export function genitiveForm({ plurals }: Plurals, unit: string, count: number): string {
  const forms = plurals[unit];
  return forms === undefined ? unit : plural(count, [forms[1], forms[2], forms[2]]);
}

/** `коробов или паллет` */
export function boxesOrPallets(calculator: Plurals & Pick<Calculator, 'places'>): string {
  const { box, pallet } = calculator.places;
  return [box, pallet].map(({ unit }) => unitForm(calculator, unit, 0)).join(' или ');
}

export function beyondLimits({ limits, places }: Calculator, { units, size, weight, container }: Order): Beyond[] {
  const room = places[container].size;
  const isTooLong = Math.max(...size) > limits.side * millimetresInCentimetre;
  const ofOrder = `В заказе больше ${formatCount(limits.units)} ${plural(limits.units, ['единицы', 'единиц', 'единиц'])}.`;
  const reasons = [
    units > limits.units && { why: ofOrder, without: 'заказа' },
    isTooLong && { why: `Одна сторона длиннее ${limits.side} см.`, without: 'товара' },
    !isTooLong &&
      !fits(size, inMillimetres(room)) && { why: `Единица больше ${room.join('×')} см.`, without: 'товара' },
    weight > limits.weight * gramsInKilogram && { why: `Единица тяжелее ${limits.weight} кг.`, without: 'товара' },
  ];
  return reasons.filter((reason) => reason !== false);
}

/** Estimates by the usual fill and the maximum weight; goods on pallets are in boxes. @returns `undefined` beyond the limits */
export function containersOf(calculator: Calculator, order: Order): Containers | undefined {
  if (beyondLimits(calculator, order).length > 0) return undefined;
  const { container, containers: count, size, weight, units } = order;
  if (count !== undefined) return { container, count, inOne: divideUp(units, count), estimated: false };
  const { size: room, weight: most, fill } = calculator.places[container];
  const byVolume = divideDown(volume(inMillimetres(room)) * fill, volume(size) * 100);
  const byWeight = divideDown(most * gramsInKilogram, weight);
  // A unit that fits goes in alone, even beyond the usual fill.
  const loose = Math.max(1, Math.min(byVolume, byWeight));
  const boxes = container === 'pallet' ? containersOf(calculator, { ...order, container: 'box' }) : undefined;
  const inOne = boxes ? Math.min(loose, boxes.inOne * calculator.places.pallet.boxes) : loose;
  return { container, count: divideUp(units, inOne), inOne, estimated: true };
}

/** Counts pallets for an order in boxes. @returns `undefined` if the goods do not fit on pallets */
export function palletsFor(calculator: Calculator, order: Order): Containers | undefined {
  const estimated = containersOf(calculator, { ...order, container: 'pallet', containers: undefined });
  if (estimated === undefined || order.containers === undefined) return estimated;
  const count = Math.max(estimated.count, divideUp(order.containers, calculator.places.pallet.boxes));
  return { container: 'pallet', count, inOne: divideUp(order.units, count), estimated: false };
}

function tooManyContainers(calculator: Calculator, { container, count }: Containers): Beyond[] {
  const { most, unit } = calculator.places[container];
  if (count <= most) return [];
  return [{ why: `В заказе больше ${formatCount(most)} ${genitiveForm(calculator, unit, most)}.`, without: 'заказа' }];
}

function tooMuchFor(
  { most }: Calculator['pickup'][number],
  { units, weight, container, km }: Order,
  containers: number,
  calculator: Calculator,
): string | undefined {
  if (km > calculator.limits.km) return `Забор дальше ${calculator.limits.km} км ${calculator.zone.from}.`;
  if (most === undefined) return undefined;
  if (units * weight > most.weight * gramsInKilogram)
    return `Груз тяжелее ${formatCount(most.weight)} кг, в машину не войдёт.`;
  const allowed = most[container];
  const unit = genitiveForm(calculator, calculator.places[container].unit, allowed);
  return containers > allowed ? `В машину входит до ${formatCount(allowed)} ${unit}.` : undefined;
}

/** `tier` is the count that selects the price. */
type Quantity = { count: number; tier: number; factors?: readonly Factor[] };

function quantityOf(
  { of, per, times }: Operation,
  { units, km, days, container }: Order,
  containers: number,
  litres: number,
  calculator: Calculator,
): Quantity {
  const charged = (base: number) => divideUp(base, per) * times;
  const simple = (base: number): Quantity => ({ count: charged(base), tier: charged(base) });
  const byDay = (base: number, unit: string): Quantity => {
    const count = charged(base);
    const paid = Math.max(0, days - calculator.storage.free);
    const ofDay = { count, unit: per === 1 ? unit : `по ${formatCount(per)} ${unitForm(calculator, unit, per)}` };
    return { count: count * paid, tier: count, factors: [ofDay, { count: paid, unit: 'сут.' }] };
  };
  switch (of) {
    case 'unit':
      return simple(units);
    case 'place':
      return simple(containers);
    case 'order':
      return simple(1);
    case 'km':
      return simple(km);
    case 'litre-day':
      return byDay(units * litres, 'л');
    case 'place-day':
      return byDay(containers, calculator.places[container].unit);
  }
}

function lineOf(words: Plurals, row: Rate, { count, tier: reached, factors }: Quantity, litres: number): Line | Beyond {
  const tier = tierAt(row.tiers, reached);
  if (tier === undefined) {
    const from = row.tiers[0]?.from ?? 0;
    const why = `${row.text}: меньше ${formatCount(from)} ${genitiveForm(words, row.unit, from)}.`;
    return { why, without: `строки «${row.text}»` };
  }
  const larger = row.tiers.find(({ from }) => from > reached);
  const counted = factors ?? [{ count, unit: row.unit }];
  const next = row.next && litres > 1 ? { count: litres - 1, price: row.next.price } : undefined;
  const product = count * (tier.price + (next ? next.count * next.price : 0));
  return {
    rate: row.id,
    text: row.text,
    factors: counted,
    price: tier.price,
    next,
    larger: larger && { ...larger, unit: counted[0]?.unit ?? row.unit },
    product,
    sum: Math.max(product, row.minimum ?? 0),
  };
}

function rowOf({ groups }: Rates, rate: string): Rate {
  return byId(
    groups.flatMap(({ rows }) => rows),
    rate,
  );
}

/** @throws if the id is unknown, which loading the content rules out */
function byId<T extends { id: string }>(all: readonly T[], id: string): T {
  const item = all.find((one) => one.id === id);
  if (item === undefined) throw new Error(`"${id}" is not one of: ${all.map((one) => one.id).join(', ')}.`);
  return item;
}

const gramsInKilogram = 1000;
const millimetresInCentimetre = 10;
const cubicMillimetresInLitre = 1_000_000;

type Size = readonly [number, number, number];

function litresOf(size: Size): number {
  return divideUp(volume(size), cubicMillimetresInLitre);
}

function volume([length, width, height]: Size): number {
  return length * width * height;
}

function inMillimetres([length, width, height]: Size): Size {
  return [length * millimetresInCentimetre, width * millimetresInCentimetre, height * millimetresInCentimetre];
}

/** A unit may be turned. */
function fits(size: Size, room: Size): boolean {
  const sides = size.toSorted((a, b) => a - b);
  return room.toSorted((a, b) => a - b).every((side, index) => (sides[index] ?? 0) <= side);
}

function divideDown(dividend: number, divisor: number): number {
  return (dividend - (dividend % divisor)) / divisor;
}

function divideUp(dividend: number, divisor: number): number {
  return divideDown(dividend + divisor - 1, divisor);
}

function divideHalfUp(dividend: number, divisor: number): number {
  return divideDown(2 * dividend + divisor, 2 * divisor);
}
