import type { Calculator } from '../model/content.ts';
import { beyondLimits, fewestPlaces, type Order, type PlaceKind, plural } from './calculation.ts';

/** Address of the calculator's page. */
export const calculatorAddress = '/rates/calc';

/** Parameters of the calculator's address, in the order of its form. */
export const orderFields = [
  'mp',
  'scheme',
  'units',
  'length',
  'width',
  'height',
  'weight',
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

/** As the visitor wrote them; empty where nothing was written. */
export type OrderValues = Readonly<Record<OrderField, string>>;

/** What is wrong with a field, and what to do, as a Russian sentence. */
export type OrderError = { field: OrderField; message: string };

export type OrderReading = { values: OrderValues; errors: readonly OrderError[]; order: Order | undefined };

/** What an address that does not say otherwise means. */
const initial: Partial<OrderValues> = {
  scheme: 'fbo',
  pack: 'none',
  mark: 'none',
  check: 'none',
  place: 'box',
  pickup: 'none',
};

/** Digits of the largest number that can be written: what it is multiplied with stays an exact integer. */
const digits = 7;

/**
 * Reads the query of the calculator's page. An address without `units` asks for a form that is filled in so far;
 * with it, for a calculation. Nothing is corrected: what cannot be read as it stands is an error.
 *
 * @returns the order, unless nothing is asked or there are errors; those are in the order of the form
 */
export function readOrder(calculator: Calculator, query: Readonly<Record<string, string | undefined>>): OrderReading {
  const asked = query.units !== undefined;
  const values = Object.fromEntries(
    orderFields.map((field) => [field, query[field]?.trim() ?? initial[field] ?? '']),
  ) as OrderValues;
  const errors: OrderError[] = [];
  const fail = (field: OrderField, message: string) => {
    if (asked || values[field] !== '') errors.push({ field, message });
    return undefined;
  };

  const oneOf = (field: OrderField, known: readonly { id: string }[], message: string) =>
    known.find(({ id }) => id === values[field])?.id ?? fail(field, message);
  const positive = (field: OrderField, decimals: number, example: string) => {
    const number = readNumber(values[field], decimals);
    return number !== undefined && number > 0 ? number : fail(field, `${asks[field]}, например ${example}`);
  };
  const optional = (field: OrderField) =>
    values[field] === '' ? 0 : (readNumber(values[field], 0) ?? fail(field, `${asks[field]} или оставьте пустым`));

  const marketplace = oneOf('mp', calculator.marketplaces, 'Выберите маркетплейс');
  const scheme = oneOf('scheme', calculator.schemes, 'Выберите схему');
  const units = positive('units', 0, '1000');
  const length = positive('length', 1, '20 или 20,5');
  const width = positive('width', 1, '15 или 15,5');
  const height = positive('height', 1, '5 или 5,5');
  const weight = positive('weight', 3, '0,3');
  const packaging = oneOf('pack', calculator.packaging, 'Выберите упаковку');
  const marking = oneOf('mark', calculator.marking, 'Выберите маркировку');
  const verification = oneOf('check', calculator.verification, 'Выберите проверку');
  const days = optional('days');
  const place = oneOf('place', placeKinds, 'Выберите короба или паллеты') as PlaceKind | undefined;
  const places = values.places === '' ? 0 : positive('places', 0, '20');
  const warehouse = readWarehouse();
  const pickup = oneOf('pickup', calculator.pickup, 'Выберите, как груз приедет к нам');
  const km = optional('km');
  if (km !== undefined && km > 0 && calculator.pickup.find(({ id }) => id === pickup)?.operations.length === 0) {
    fail('km', 'Пробег считается для нашей машины: выберите её или оставьте поле пустым');
  }

  function readWarehouse(): string | undefined {
    const delivered = calculator.schemes.find(({ id }) => id === scheme)?.delivered;
    if (values.to === '') return delivered ? fail('to', 'Выберите склад маркетплейса') : undefined;
    const found = calculator.warehouses.find(({ id }) => id === values.to);
    if (found === undefined) return fail('to', 'Выберите склад из списка');
    if (delivered === false) return fail('to', 'По этой схеме товар не едет на склад: оставьте «Не нужна»');
    if (marketplace !== undefined && !found.marketplaces.includes(marketplace)) {
      const name = calculator.marketplaces.find(({ id }) => id === marketplace)?.text;
      return fail('to', `${found.text}\u00A0— не склад ${name}: выберите другой склад или другой маркетплейс`);
    }
    return found.id;
  }

  const whole =
    marketplace !== undefined &&
    scheme !== undefined &&
    units !== undefined &&
    length !== undefined &&
    width !== undefined &&
    height !== undefined &&
    weight !== undefined &&
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
    size: [length, width, height],
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
    const unit = plural(calculator, calculator.places[place].unit, fewest);
    fail('places', `Столько товара займёт не меньше ${fewest} ${unit}: исправьте число или оставьте поле пустым`);
    return { values, errors, order: undefined };
  }
  return { values, errors, order };
}

/** Address of the calculator with a query, of a calculation or of a form that is filled in so far. */
export function calculatorPath(query: string): string {
  return query === '' ? calculatorAddress : `${calculatorAddress}?${query}`;
}

/** The query that asks for these values again, without what goes without saying. */
export function orderQuery(values: OrderValues): string {
  const given = orderFields
    .filter((field) => !['', initial[field]].includes(values[field]))
    .map((field) => [field, values[field]]);
  return new URLSearchParams(given as [string, string][]).toString();
}

const placeKinds: readonly { id: PlaceKind }[] = [{ id: 'box' }, { id: 'pallet' }];

/**
 * The calculator with the first answers filled in that some rates belong to.
 *
 * @param rates ids of rows
 * @returns `undefined` if the calculator counts none of them
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

/** What a number field asks for. */
const asks: Partial<Record<OrderField, string>> = {
  units: 'Напишите число единиц товара целым числом',
  length: 'Напишите длину в сантиметрах',
  width: 'Напишите ширину в сантиметрах',
  height: 'Напишите высоту в сантиметрах',
  weight: 'Напишите вес единицы в килограммах',
  days: 'Напишите число суток целым числом',
  places: 'Напишите число мест целым числом',
  km: 'Напишите число километров целым числом',
};

/**
 * Reads `1 200` or `20,5`, with a point or a comma.
 *
 * @returns the number in its smallest unit: `20,5` with one decimal is 205; `undefined` if it is none
 */
function readNumber(written: string, decimals: number): number | undefined {
  const match = /^(\d+)(?:[.,](\d+))?$/.exec(written.replace(/(\d)[\s\u00a0\u202f](?=\d{3}(?!\d))/g, '$1'));
  const [, whole = '', part = ''] = match ?? [];
  if (whole === '' || part.length > decimals) return undefined;
  const number = whole.replace(/^0+(?=\d)/, '') + part.padEnd(decimals, '0');
  return number.length > digits ? undefined : Number(number);
}
