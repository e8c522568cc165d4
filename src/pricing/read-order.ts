import { z } from 'zod';
import { formatCount, formatList } from '../lib/format.ts';
import { memoizedWeakly } from '../lib/lazy.ts';
import type { Calculator } from '../model/content.ts';
import type { FieldError } from '../model/field-error.ts';
import { beyondLimits, boxesOrPallets, fewestContainers, genitiveForm, type Order } from './calculation.ts';
import {
  amountDoubt,
  amountsOf,
  defaultValues,
  type OrderField,
  type OrderValues,
  omittedByPickup,
  omittedByScheme,
  orderFields,
} from './order-fields.ts';

export type OrderError = FieldError & { field: OrderField };

export type OrderReading = {
  /** Fields that do not apply have their default. */
  values: OrderValues;
  /** The form keeps what does not apply at present. */
  typed: OrderValues;
  errors: readonly OrderError[];
  order: Order | undefined;
  /** The warehouse that was replaced, because it serves another marketplace. */
  refused?: Warehouse | undefined;
};

type Warehouse = Calculator['warehouses'][number];

type OrderQuery = Readonly<Record<string, string | undefined>>;

/**
 * Without `units`, the query only prefills the form. Fields that do not apply are ignored, and a marketplace brings its
 * first warehouse in place of none or of another's; no other value is corrected.
 *
 * @returns no order if there are errors
 */
export function readOrder(calculator: Calculator, query: OrderQuery): OrderReading {
  const typed = valuesOf(query);
  // The form does not ask for the only one.
  if (calculator.marketplaces.length === 1) typed.mp = calculator.marketplaces[0]?.id ?? '';
  const omitted = omittedFields(calculator, typed);
  const asked = calculator.warehouses.find(({ id }) => id === typed.to);
  const first = omitted.includes('to')
    ? undefined
    : calculator.warehouses.find(({ marketplaces }) => marketplaces.includes(typed.mp));
  const refused = asked && first && !asked.marketplaces.includes(typed.mp) ? asked : undefined;
  if (first && (refused || typed.to === '')) typed.to = first.id;
  const values = { ...typed };
  for (const field of omitted) values[field] = defaultValues[field] ?? '';
  const { data, error } = schemaFor(calculator).safeParse({ ...values, ...amountsOf(values) });
  const problems = (error?.issues ?? []).map(({ path, message }) => {
    const field = path[0] as OrderField;
    return { field, message: amountDoubt(values, field) ?? message };
  });
  const warehouse = warehouseProblem(calculator, values);
  if (warehouse !== undefined) problems.push({ field: 'to', message: warehouse });
  const errors = problems
    .filter(({ field }) => query.units !== undefined || values[field] !== '')
    .sort((a, b) => orderFields.indexOf(a.field) - orderFields.indexOf(b.field));
  return { values, typed, errors, order: errors.length > 0 ? undefined : data, refused };
}

/** What an address says overrides the example, if that makes an order. */
export function readOrExample(calculator: Calculator, query: OrderQuery): OrderReading {
  const reading = readOrder(calculator, query);
  if (query.units !== undefined) return reading;
  const filled = readOrder(calculator, withExample(calculator, query));
  return filled.order ? { ...filled, refused: undefined } : reading;
}

/** Takes a marketplace that the warehouse serves. */
export function withExample({ example, warehouses }: Calculator, query: OrderQuery): OrderQuery {
  const values = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
  const asked = warehouses.find(({ id }) => id === values.to)?.marketplaces ?? [];
  const mp = asked.includes(example.mp ?? '') ? example.mp : asked[0];
  return { ...example, ...(mp !== undefined && { mp }), ...values };
}

function valuesOf(query: OrderQuery): Record<OrderField, string> {
  const read = orderFields.map((field) => [field, query[field]?.trim() ?? defaultValues[field] ?? '']);
  return Object.fromEntries(read) as Record<OrderField, string>;
}

function omittedFields({ schemes, pickup }: Calculator, values: OrderValues): OrderField[] {
  const scheme = schemes.find(({ id }) => id === values.scheme);
  const car = pickup.find(({ id }) => id === values.pickup);
  return [...(scheme ? omittedByScheme(scheme) : []), ...(car ? omittedByPickup(car) : [])];
}

/** It is cached, because building one takes milliseconds. */
const schemaFor = memoizedWeakly(orderSchema);

function orderSchema(calculator: Calculator) {
  const ofSide = (name: string) => positive(`Укажите ${name} в сантиметрах, например 20 или 20,5`);
  return z
    .object({
      mp: choice(calculator.marketplaces, 'Выберите маркетплейс'),
      scheme: choice(calculator.schemes, 'Выберите схему'),
      units: positive('Укажите количество целым числом, например 1\u00A0000'),
      weight: positive('Укажите вес единицы в килограммах, например 0,3'),
      length: ofSide('длину'),
      width: ofSide('ширину'),
      height: ofSide('высоту'),
      pack: choice(calculator.packaging, 'Выберите упаковку'),
      mark: choice(calculator.marking, 'Выберите маркировку'),
      check: choice(calculator.verification, 'Выберите проверку'),
      days: z.int('Укажите целое число суток или оставьте поле пустым').default(0),
      place: z.enum(['box', 'pallet'], 'Выберите, в чём едет груз'),
      places: positive(`Укажите целое число ${boxesOrPallets(calculator)}, например 20`).optional(),
      to: z.string(),
      pickup: choice(calculator.pickup, 'Выберите, как груз приедет к нам'),
      km: z.int('Укажите целое число километров или оставьте поле пустым').default(0),
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
        container: read.place,
        containers: read.places,
        warehouse: read.to === '' ? undefined : read.to,
        pickup: read.pickup,
        km: read.km,
      }),
    )
    .superRefine((order, context) => {
      const message = containersProblem(calculator, order);
      if (message !== undefined) context.addIssue({ code: 'custom', path: ['places'], message });
    });
}

function choice(choices: readonly { id: string }[], message: string) {
  return z.enum(
    choices.map(({ id }) => id),
    message,
  );
}

function positive(message: string) {
  return z.int(message).positive(message);
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
  return `Склад ${warehouse.text} принимает только ${formatList(owners)}. Выберите другой склад или маркетплейс`;
}

function containersProblem(calculator: Calculator, order: Order): string | undefined {
  if (order.containers === undefined || beyondLimits(calculator, order).length > 0) return undefined;
  const fewest = fewestContainers(calculator, order);
  if (order.containers >= fewest) return undefined;
  const unit = genitiveForm(calculator, calculator.places[order.container].unit, fewest);
  return `Столько товара займёт не меньше ${formatCount(fewest)}\u00A0${unit}. Исправьте число или сотрите его`;
}
