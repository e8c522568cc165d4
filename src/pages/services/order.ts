import { z } from 'zod';
import type { FieldError } from '../../components/forms/error-summary.tsx';
import { formatCount, listed } from '../../lib/format.ts';
import type { Calculator, RateGroup } from '../../model/content.ts';
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

export type OrderReading = {
  values: OrderValues;
  errors: readonly OrderError[];
  order: Order | undefined;
  /** The warehouse that was asked for, if its marketplace was not. */
  refused?: Warehouse | undefined;
};

type Warehouse = Calculator['warehouses'][number];

const initial: Partial<OrderValues> = {
  scheme: 'fbo',
  pack: 'none',
  mark: 'none',
  check: 'none',
  place: 'box',
  pickup: 'none',
};

type OrderQuery = Readonly<Record<string, string | undefined>>;

/**
 * Without `units`, the query only prefills the form. Fields that do not apply are ignored, and a marketplace brings its
 * first warehouse in place of another's; no other value is corrected.
 *
 * @returns no order if there are errors
 */
export function readOrder(calculator: Calculator, query: OrderQuery): OrderReading {
  const values = valuesOf(query);
  for (const field of omittedFields(calculator, values)) values[field] = initial[field] ?? '';
  const asked = calculator.warehouses.find(({ id }) => id === values.to);
  const own = calculator.warehouses.find(({ marketplaces }) => marketplaces.includes(values.mp));
  const refused = asked && own && !asked.marketplaces.includes(values.mp) ? asked : undefined;
  if (refused && own) values.to = own.id;
  const { data, error } = schemaOf(calculator).safeParse(values);
  const found = (error?.issues ?? []).map(({ path, message }) => ({ field: path[0] as OrderField, message }));
  const warehouse = warehouseProblem(calculator, values);
  if (warehouse !== undefined) found.push({ field: 'to', message: warehouse });
  const errors = found
    .filter(({ field }) => query.units !== undefined || values[field] !== '')
    .sort((a, b) => orderFields.indexOf(a.field) - orderFields.indexOf(b.field));
  return { values, errors, order: errors.length > 0 ? undefined : data, refused };
}

/** What an address says overrides the example, if that makes an order. */
export function readOrExample(calculator: Calculator, query: OrderQuery): OrderReading {
  const reading = readOrder(calculator, query);
  if (query.units !== undefined) return reading;
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
  const { example, warehouses } = calculator;
  const asked = warehouses.find(({ id }) => id === given.to)?.marketplaces ?? [];
  const mp = asked.includes(example.mp ?? '') ? example.mp : asked[0];
  const filled = readOrder(calculator, { ...example, ...(mp !== undefined && { mp }), ...given });
  return filled.order ? { ...filled, refused: undefined } : reading;
}

function valuesOf(query: OrderQuery): Record<OrderField, string> {
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
  const { limits, places } = calculator;
  const ofSide = (name: string) =>
    positive(1, `Укажите ${name} в сантиметрах, например 20 или 20,5`, `Считаем единицы не длиннее ${limits.side} см`);
  return z
    .object({
      mp: choice(calculator.marketplaces, 'Выберите маркетплейс'),
      scheme: choice(calculator.schemes, 'Выберите схему'),
      units: positive(
        0,
        'Укажите количество целым числом, например 1\u00A0000',
        `Считаем не больше ${formatCount(limits.units)} единиц`,
      ),
      weight: positive(
        3,
        'Укажите вес единицы в килограммах, например 0,3',
        `Считаем единицы не тяжелее ${limits.weight} кг`,
      ),
      length: ofSide('длину'),
      width: ofSide('ширину'),
      height: ofSide('высоту'),
      pack: choice(calculator.packaging, 'Выберите упаковку'),
      mark: choice(calculator.marking, 'Выберите маркировку'),
      check: choice(calculator.verification, 'Выберите проверку'),
      days: wholeOrZero('Укажите целое число суток или оставьте поле пустым', `Считаем не больше ${limits.days} суток`),
      place: z.enum(['box', 'pallet'], 'Выберите короба или паллеты'),
      places: positiveOrNone(
        'Укажите целое число коробов или паллет, например 20',
        `Считаем не больше ${places.box.most} коробов или ${places.pallet.most} паллет`,
      ),
      to: z.string(),
      pickup: choice(calculator.pickup, 'Выберите, как груз приедет к нам'),
      km: wholeOrZero(
        'Укажите целое число километров или оставьте поле пустым',
        `Забираем не дальше ${limits.km} км от МКАД`,
      ),
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
function positive(decimals: number, message: string, tooMuch: string) {
  return z
    .string()
    .transform((written) => readNumber(written, decimals))
    .pipe(z.int(message).positive(message).max(most, tooMuch));
}

function wholeOrZero(message: string, tooMuch: string) {
  return z
    .string()
    .transform((written) => readNumber(written === '' ? '0' : written, 0))
    .pipe(z.int(message).max(most, tooMuch));
}

function positiveOrNone(message: string, tooMuch: string) {
  return z.union([z.literal('').transform(() => undefined), positive(0, message, tooMuch)], {
    error: ({ input }) => (readNumber(String(input), 0) > most ? tooMuch : message),
  });
}

/** Reads `1 200` or `20,5`. @returns `NaN` if it is no number or has too many decimals, and too much as a safe integer */
function readNumber(written: string, decimals: number): number {
  const [, whole = '', part = ''] = /^(\d+)(?:[.,](\d+))?$/.exec(ungrouped(written)) ?? [];
  if (whole === '' || part.length > decimals) return Number.NaN;
  return Math.min(Number(whole + part.padEnd(decimals, '0')), most + 1);
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

export function calculatorWith(answers: Answers): string {
  return calculatorPath(orderFields.flatMap((field) => (answers[field] ? `${field}=${answers[field]}` : [])).join('&'));
}

/** Filled in with the first line of each group. @returns `undefined` if it counts none of them */
export function calculatorOf(calculator: Calculator, groups: readonly Pick<RateGroup, 'rows'>[]): string | undefined {
  const known = answersByRate(calculator);
  const counted = groups.flatMap(({ rows }) => rows.flatMap(({ id }) => known.get(id) ?? []).slice(0, 1));
  return counted.length === 0 ? undefined : calculatorWith(Object.assign({}, ...counted));
}
