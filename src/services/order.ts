import { z } from 'zod';
import type { FieldError } from '../design/error-summary.tsx';
import { listed } from '../design/format.ts';
import type { Calculator } from '../model/content.ts';
import { beyondLimits, fewestPlaces, type Order, unitForm } from './calculation.ts';

export const calculatorAddress = '/rates/calc';

/** In form order. */
export const orderFields = [
  'mp',
  'scheme',
  'units',
  'weight',
  'length',
  'width',
  'height',
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

/** As typed; empty if missing. */
export type OrderValues = Readonly<Record<OrderField, string>>;

export type OrderError = FieldError & { field: OrderField };

export type OrderReading = { values: OrderValues; errors: readonly OrderError[]; order: Order | undefined };

const initial: Partial<OrderValues> = {
  scheme: 'fbo',
  pack: 'none',
  mark: 'none',
  check: 'none',
  place: 'box',
  pickup: 'none',
};

/**
 * Without `units`, the query only prefills the form. Invalid values are never corrected; fields that do not apply are
 * ignored.
 *
 * @returns no order if there are errors
 */
export function readOrder(calculator: Calculator, query: Readonly<Record<string, string | undefined>>): OrderReading {
  const values = valuesOf(query);
  for (const field of omittedFields(calculator, values)) values[field] = initial[field] ?? '';
  const { data, error } = schemaOf(calculator).safeParse(values);
  const found = (error?.issues ?? []).map(({ path, message }) => ({ field: path[0] as OrderField, message }));
  const warehouse = warehouseProblem(calculator, values);
  if (warehouse !== undefined) found.push({ field: 'to', message: warehouse });
  const errors = found
    .filter(({ field }) => query.units !== undefined || values[field] !== '')
    .sort((a, b) => orderFields.indexOf(a.field) - orderFields.indexOf(b.field));
  return { values, errors, order: errors.length > 0 ? undefined : data };
}

function valuesOf(query: Readonly<Record<string, string | undefined>>): Record<OrderField, string> {
  const read = orderFields.map((field) => [field, query[field]?.trim() ?? initial[field] ?? '']);
  return Object.fromEntries(read) as Record<OrderField, string>;
}

function omittedFields({ schemes, pickup }: Calculator, values: OrderValues): OrderField[] {
  const scheme = schemes.find(({ id }) => id === values.scheme);
  const car = pickup.find(({ id }) => id === values.pickup);
  return [...(scheme ? omittedByScheme(scheme) : []), ...(car ? omittedByPickup(car) : [])];
}

export function omittedByScheme({ delivered, packed }: Calculator['schemes'][number]): OrderField[] {
  return [...(delivered ? [] : ['to' as const]), ...(packed ? ['pack' as const] : [])];
}

export function omittedByPickup({ operations }: Calculator['pickup'][number]): OrderField[] {
  return operations.some((operation) => operation.of === 'km') ? [] : ['km'];
}

/** Cached, because building one takes milliseconds. */
const schemas = new WeakMap<Calculator, ReturnType<typeof orderSchema>>();

function schemaOf(calculator: Calculator) {
  const schema = schemas.get(calculator) ?? orderSchema(calculator);
  schemas.set(calculator, schema);
  return schema;
}

function orderSchema(calculator: Calculator) {
  return z
    .object({
      mp: choice(calculator.marketplaces, 'Выберите маркетплейс'),
      scheme: choice(calculator.schemes, 'Выберите схему'),
      units: positive(0, 'Укажите количество целым числом, например 1\u00A0000'),
      weight: positive(3, 'Укажите вес единицы в килограммах, например 0,3'),
      length: positive(1, 'Укажите длину в сантиметрах, например 20 или 20,5'),
      width: positive(1, 'Укажите ширину в сантиметрах, например 20 или 20,5'),
      height: positive(1, 'Укажите высоту в сантиметрах, например 20 или 20,5'),
      pack: choice(calculator.packaging, 'Выберите упаковку'),
      mark: choice(calculator.marking, 'Выберите маркировку'),
      check: choice(calculator.verification, 'Выберите проверку'),
      days: wholeOrZero('Укажите целое число суток или оставьте поле пустым'),
      place: z.enum(['box', 'pallet'], 'Выберите короба или паллеты'),
      places: positiveOrNone('Укажите целое число коробов или паллет, например 20'),
      to: z.string(),
      pickup: choice(calculator.pickup, 'Выберите, как груз приедет к нам'),
      km: wholeOrZero('Укажите целое число километров или оставьте поле пустым'),
    })
    .transform(
      (read): Order => ({
        marketplace: read.mp,
        scheme: read.scheme,
        units: read.units,
        size: [read.length, read.width, read.height],
        weight: read.weight,
        packaging: read.pack,
        marking: read.mark,
        verification: read.check,
        days: read.days,
        place: read.place,
        places: read.places,
        warehouse: read.to === '' ? undefined : read.to,
        pickup: read.pickup,
        km: read.km,
      }),
    )
    .superRefine((order, context) => {
      const message = placesProblem(calculator, order);
      if (message !== undefined) context.addIssue({ code: 'custom', path: ['places'], message });
    });
}

function choice(choices: readonly { id: string }[], message: string) {
  return z.enum(
    choices.map(({ id }) => id),
    message,
  );
}

/** Seven digits keep products within safe integers. */
const most = 9_999_999;

/** An integer in the smallest unit: with one decimal, `20,5` is 205. */
function positive(decimals: number, message: string) {
  return z
    .string()
    .transform((written) => readNumber(written, decimals))
    .pipe(z.int(message).positive(message).max(most, message));
}

function wholeOrZero(message: string) {
  return z
    .string()
    .transform((written) => readNumber(written === '' ? '0' : written, 0))
    .pipe(z.int(message).max(most, message));
}

function positiveOrNone(message: string) {
  return z.union([z.literal('').transform(() => undefined), positive(0, message)], message);
}

/** Reads `1 200` or `20,5`. @returns `NaN` if it is no number or has too many decimals */
function readNumber(written: string, decimals: number): number {
  const [, whole = '', part = ''] = /^(\d+)(?:[.,](\d+))?$/.exec(ungrouped(written)) ?? [];
  return whole === '' || part.length > decimals ? Number.NaN : Number(whole + part.padEnd(decimals, '0'));
}

function ungrouped(written: string): string {
  return written.replace(/(\d)[\s\u00a0\u202f](?=\d{3}(?!\d))/g, '$1');
}

/** The schema does not compare fields while others are invalid. */
function warehouseProblem(calculator: Calculator, { mp, scheme, to }: OrderValues): string | undefined {
  const { marketplaces, schemes, warehouses } = calculator;
  if (to === '') {
    const { delivered = false } = schemes.find(({ id }) => id === scheme) ?? {};
    return delivered ? 'Выберите склад маркетплейса' : undefined;
  }
  const warehouse = warehouses.find(({ id }) => id === to);
  if (warehouse === undefined) return 'Выберите склад из списка';
  if (warehouse.marketplaces.includes(mp) || marketplaces.every(({ id }) => id !== mp)) return undefined;
  const owners = marketplaces.filter(({ id }) => warehouse.marketplaces.includes(id)).map(({ text }) => text);
  return `Склад ${warehouse.text} принимает только ${listed(owners)}. Выберите другой склад или маркетплейс`;
}

function placesProblem(calculator: Calculator, order: Order): string | undefined {
  if (order.places === undefined || beyondLimits(calculator, order).length > 0) return undefined;
  const fewest = fewestPlaces(calculator, order);
  if (order.places >= fewest) return undefined;
  const unit = unitForm(calculator, calculator.places[order.place].unit, fewest);
  return `Столько товара займёт не меньше ${fewest}\u00A0${unit}. Исправьте число или сотрите его`;
}

export function calculatorPath(query: string): string {
  return query === '' ? calculatorAddress : `${calculatorAddress}?${query}`;
}

/** Leaves out defaults. */
export function orderQuery(values: OrderValues): string {
  const query = new URLSearchParams();
  for (const field of orderFields) {
    const value = ungrouped(values[field]);
    if (value !== '' && value !== initial[field]) query.set(field, value);
  }
  return query.toString();
}

/** Preselects the first options with these rates. @returns `undefined` if there are none */
export function calculatorWith(calculator: Calculator, rates: readonly string[]): string | undefined {
  const counts = ({ operations }: { operations: Calculator['receiving'] }) =>
    operations.some(({ rate }) => rates.includes(rate));
  const { packaging, marking, verification, pickup, schemes, storage, warehouses } = calculator;
  const questions = { pack: packaging, mark: marking, check: verification, pickup };
  const answers = Object.entries(questions).flatMap(([field, choices]) => {
    const answer = choices.find(counts);
    return answer ? [[field, answer.id]] : [];
  });
  const delivers = warehouses.some(({ rates: { box, pallet } }) => rates.includes(box) || rates.includes(pallet));
  if (answers.length === 0 && !delivers && !counts(storage) && !schemes.some(counts)) return undefined;
  return calculatorPath(new URLSearchParams(answers).toString());
}
