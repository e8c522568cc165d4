import type { Calculator } from '../model/content.ts';
import { doubtOf, type Measure, measures, readAmount, writtenIn } from './amount.ts';

export const calculatorAddress = '/rates/calc';

/** The form has them in this order. */
export const orderFields = [
  'units',
  'weight',
  'length',
  'width',
  'height',
  'mp',
  'scheme',
  'pack',
  'mark',
  'check',
  'days',
  'place',
  'places',
  'to',
  'pickup',
  'km',
] as const;
export type OrderField = (typeof orderFields)[number];

/** What a visitor typed; empty if missing. */
export type OrderValues = Readonly<Record<OrderField, string>>;

/** Fields that are missing in a query have these values. */
export const defaultValues: Partial<OrderValues> = {
  scheme: 'fbo',
  pack: 'none',
  mark: 'none',
  check: 'none',
  place: 'box',
  pickup: 'none',
};

export function calculatorPath(query: string): string {
  return query === '' ? calculatorAddress : `${calculatorAddress}?${query}`;
}

/** Omits what is the default. */
export function orderQuery(values: OrderValues): string {
  const query = new URLSearchParams();
  const plain = plainValues(values);
  for (const field of orderFields) {
    const value = plain[field];
    if (value !== '' && value !== defaultValues[field]) query.set(field, value);
  }
  return query.toString();
}

export function omittedByScheme({ delivered, packed }: Calculator['schemes'][number]): OrderField[] {
  return [...(delivered ? [] : ['to' as const]), ...(packed ? ['pack' as const] : [])];
}

export function omittedByPickup({ operations }: Calculator['pickup'][number]): OrderField[] {
  return operations.some((operation) => operation.of === 'km') ? [] : ['km'];
}

type AmountField = keyof typeof amountMeasures | 'places';

const amountMeasures = {
  units: measures.units,
  weight: measures.weight,
  length: measures.side,
  width: measures.side,
  height: measures.side,
  days: measures.days,
  km: measures.km,
} as const;
const amountFields = [...Object.keys(amountMeasures), 'places'] as AmountField[];

function measureOf(field: AmountField, { place }: OrderValues): Measure {
  if (field !== 'places') return amountMeasures[field];
  return place === 'pallet' ? measures.pallet : measures.box;
}

/** Grams and millimetres; `undefined` where nothing is written, `NaN` for what is no amount. */
export function amountsOf(values: OrderValues): Record<AmountField, number | undefined> {
  const read = amountFields.map((field) => {
    const written = values[field];
    return [field, written === '' ? undefined : (readAmount(written, measureOf(field, values)) ?? Number.NaN)];
  });
  return Object.fromEntries(read);
}

/** Why an amount cannot be read, if it can be read in two ways. */
export function amountDoubt(values: OrderValues, field: OrderField): string | undefined {
  const amount = amountFields.find((name) => name === field);
  return amount && doubtOf(values[amount], measureOf(amount, values));
}

/** Writes amounts in the unit of their field, so that an order has one address. */
function plainValues(values: OrderValues): OrderValues {
  const amounts = amountsOf(values);
  const plain = amountFields.map((field) => {
    const amount = amounts[field] ?? Number.NaN;
    return [field, Number.isNaN(amount) ? values[field] : writtenIn(measureOf(field, values), amount)];
  });
  return { ...values, ...Object.fromEntries(plain) };
}
