import { listed } from '../design/format.ts';
import type { Calculator } from '../model/content.ts';
import { beyondLimits, fewestPlaces, type Order, type PlaceKind, unitForm } from './calculation.ts';
import { notTheirs } from './departure-filter.tsx';

export const calculatorAddress = '/rates/calc';

/** Query parameters, in the order of the form. */
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

/** `also` lists further fields with the same error. */
export type OrderError = { field: OrderField; message: string; also?: readonly OrderField[] };

export type OrderReading = { values: OrderValues; errors: readonly OrderError[]; order: Order | undefined };

/** Defaults. */
const initial: Partial<OrderValues> = {
  scheme: 'fbo',
  pack: 'none',
  mark: 'none',
  check: 'none',
  place: 'box',
  pickup: 'none',
};

/** Keeps products of numbers within safe integers. */
const digits = 7;

/** The three sides share one error. */
const sides = ['length', 'width', 'height'] as const;

/**
 * Without `units`, the query only prefills the form. Invalid values are errors, never corrected; fields that do not
 * apply are ignored.
 *
 * @returns no order if there are errors, which are in the order of the form
 */
export function readOrder(calculator: Calculator, query: Readonly<Record<string, string | undefined>>): OrderReading {
  const asked = query.units !== undefined;
  const given = valuesOf(query);
  const omitted = omittedFields(calculator, given);
  const values = valuesOf(Object.fromEntries(Object.entries(given).filter(([field]) => !omitted.includes(field))));
  const errors: OrderError[] = [];
  const fail = (field: OrderField, message: string) => {
    if (asked || values[field] !== '') errors.push({ field, message });
    return undefined;
  };

  const oneOf = (field: OrderField, known: readonly { id: string }[], message: string) =>
    known.find(({ id }) => id === values[field])?.id ?? fail(field, message);
  const positiveOf = (field: OrderField, decimals: number) => readNumber(values[field], decimals) || undefined;
  const positive = (field: OrderField, decimals: number, message: string) =>
    positiveOf(field, decimals) ?? fail(field, message);
  const optional = (field: OrderField, message: string) =>
    values[field] === '' ? 0 : (readNumber(values[field], 0) ?? fail(field, `${message} или оставьте поле пустым`));

  const marketplace = oneOf('mp', calculator.marketplaces, 'Выберите маркетплейс');
  const scheme = oneOf('scheme', calculator.schemes, 'Выберите схему');
  const units = positive('units', 0, 'Укажите количество целым числом, например 1\u00A0000');
  const weight = positive('weight', 3, 'Укажите вес единицы в килограммах, например 0,3');
  const size = readSize();
  const packaging = oneOf('pack', calculator.packaging, 'Выберите упаковку');
  const marking = oneOf('mark', calculator.marking, 'Выберите маркировку');
  const verification = oneOf('check', calculator.verification, 'Выберите проверку');
  const days = optional('days', 'Укажите целое число суток');
  const place = oneOf('place', placeKinds, 'Выберите короба или паллеты') as PlaceKind | undefined;
  const places =
    values.places === '' ? 0 : positive('places', 0, 'Укажите целое число коробов или паллет, например 20');
  const warehouse = readWarehouse();
  const pickup = oneOf('pickup', calculator.pickup, 'Выберите, как груз приедет к нам');
  const km = optional('km', 'Укажите целое число километров');

  function readSize(): Order['size'] | undefined {
    const [length, width, height] = sides.map((side) => positiveOf(side, 1));
    if (length !== undefined && width !== undefined && height !== undefined) return [length, width, height];
    const [field, ...also] = sides.filter(
      (side) => positiveOf(side, 1) === undefined && (asked || values[side] !== ''),
    );
    if (field === undefined) return undefined;
    const what = listed([field, ...also].map((side) => sideNames[side]));
    const message = `Укажите ${what} в сантиметрах, например 20 или 20,5`;
    errors.push(also.length > 0 ? { field, message, also } : { field, message });
    return undefined;
  }

  function readWarehouse(): string | undefined {
    const delivered = calculator.schemes.find(({ id }) => id === scheme)?.delivered;
    if (values.to === '') return delivered ? fail('to', 'Выберите склад маркетплейса') : undefined;
    const found = calculator.warehouses.find(({ id }) => id === values.to);
    if (found === undefined) return fail('to', 'Выберите склад из списка');
    if (marketplace !== undefined && !found.marketplaces.includes(marketplace)) {
      const nameOf = (id: string) => calculator.marketplaces.find((one) => one.id === id)?.text ?? '';
      return fail('to', notTheirs(found.text, found.marketplaces.map(nameOf), nameOf(marketplace)));
    }
    return found.id;
  }

  const whole =
    marketplace !== undefined &&
    scheme !== undefined &&
    units !== undefined &&
    weight !== undefined &&
    size !== undefined &&
    packaging !== undefined &&
    marking !== undefined &&
    verification !== undefined &&
    days !== undefined &&
    place !== undefined &&
    places !== undefined &&
    pickup !== undefined &&
    km !== undefined;
  if (!asked || !whole || errors.length > 0) return { values, errors, order: undefined };

  const order: Order = {
    marketplace,
    scheme,
    units,
    size,
    weight,
    packaging,
    marking,
    verification,
    days,
    place,
    places: places === 0 ? undefined : places,
    warehouse,
    pickup,
    km,
  };
  const fewest = beyondLimits(calculator, order).length > 0 ? 0 : fewestPlaces(calculator, order);
  if (places > 0 && places < fewest) {
    const unit = unitForm(calculator, calculator.places[place].unit, fewest);
    fail('places', `Столько товара займёт не меньше ${fewest}\u00A0${unit}. Исправьте число или сотрите его`);
    return { values, errors, order: undefined };
  }
  return { values, errors, order };
}

function omittedFields(calculator: Calculator, values: OrderValues): readonly string[] {
  const scheme = calculator.schemes.find(({ id }) => id === values.scheme);
  const pickup = calculator.pickup.find(({ id }) => id === values.pickup);
  return [...(scheme ? omittedByScheme(scheme) : []), ...(pickup ? omittedByPickup(pickup) : [])];
}

export function omittedByScheme({ delivered, packed }: Calculator['schemes'][number]): OrderField[] {
  return [...(delivered ? [] : ['to' as const]), ...(packed ? ['pack' as const] : [])];
}

export function omittedByPickup({ operations }: Calculator['pickup'][number]): OrderField[] {
  return operations.some((operation) => operation.of === 'km') ? [] : ['km'];
}

function valuesOf(query: Readonly<Record<string, string | undefined>>): OrderValues {
  return Object.fromEntries(
    orderFields.map((field) => [field, query[field]?.trim() ?? initial[field] ?? '']),
  ) as OrderValues;
}

export function calculatorPath(query: string): string {
  return query === '' ? calculatorAddress : `${calculatorAddress}?${query}`;
}

/** Leaves out defaults. */
export function orderQuery(values: OrderValues): string {
  const given = orderFields
    .filter((field) => !['', initial[field]].includes(values[field]))
    .map((field) => [field, ungrouped(values[field])]);
  return new URLSearchParams(given as [string, string][]).toString();
}

const placeKinds: readonly { id: PlaceKind }[] = [{ id: 'box' }, { id: 'pallet' }];

/**
 * Preselects the first options that use these rates.
 *
 * @param rates ids of rows
 * @returns `undefined` if none does
 */
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

const sideNames = { length: 'длину', width: 'ширину', height: 'высоту' };

/** Removes spaces between groups of digits. */
function ungrouped(written: string): string {
  return written.replace(/(\d)[\s\u00a0\u202f](?=\d{3}(?!\d))/g, '$1');
}

/** Reads `1 200` or `20,5`. @returns an integer in the smallest unit: `20,5` with one decimal is 205 */
function readNumber(written: string, decimals: number): number | undefined {
  const match = /^(\d+)(?:[.,](\d+))?$/.exec(ungrouped(written));
  const [, whole = '', part = ''] = match ?? [];
  if (whole === '' || part.length > decimals) return undefined;
  const number = whole.replace(/^0+(?=\d)/, '') + part.padEnd(decimals, '0');
  return number.length > digits ? undefined : Number(number);
}
