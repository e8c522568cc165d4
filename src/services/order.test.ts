import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { shownSite } from '../testing/test-site.ts';
import { calculatorPath, orderFields, orderQuery, readOrder } from './order.ts';

const { calculator } = (await shownSite()).content;

const good = {
  mp: 'wb',
  scheme: 'fbo',
  units: '1200',
  length: '20',
  width: '15,5',
  height: '8.0',
  weight: '0,35',
  pack: 'bag',
  mark: 'barcode',
  check: 'none',
  days: '30',
  place: 'box',
  places: '40',
  to: 'koledino',
  pickup: 'none',
  km: '',
};
const read = (about: Record<string, string | undefined> = {}) => readOrder(calculator, { ...good, ...about });
const errorsOf = (about: Record<string, string | undefined>) => read(about).errors.map(({ field }) => field);

test('an address says what is ordered, in millimetres and grams', () => {
  expect(read().order).toEqual({
    marketplace: 'wb',
    scheme: 'fbo',
    units: 1200,
    size: [200, 155, 80],
    weight: 350,
    packaging: 'bag',
    marking: 'barcode',
    verification: 'none',
    days: 30,
    place: 'box',
    places: 40,
    warehouse: 'koledino',
    pickup: 'none',
    km: 0,
  });
});

test.each([
  ['1 200', 1200],
  ['1\u00a0200', 1200],
  ['0012', 12],
  ['9999999', 9_999_999],
])('"%s" units are %d', (units, read) => {
  expect(readOrder(calculator, { ...good, units, places: '' }).order?.units).toBe(read);
});

test.each([
  ...['', '0', '-1', '1,5', '1.5', '1e3', 'abc', '12 шт', '1 2', '10000000', '١٢', '0x10'].map((units) => ({ units })),
  ...['', '0', '-2', '20 см', '20,55', ',5', '20,', 'NaN', 'Infinity'].map((length) => ({ length })),
  ...['', '0', '0,0005', '0,000'].map((weight) => ({ weight })),
  ...['1,5', '-1', 'x'].map((days) => ({ days })),
  ...['0', 'x', '-3'].map((places) => ({ places })),
  ...['nothing', '', '__proto__', 'BAG'].map((pack) => ({ pack })),
  { mp: 'amazon' },
  { mp: undefined },
  { scheme: 'dbs' },
  { mark: 'x' },
  { check: 'x' },
  { place: 'bag' },
  { to: 'mars' },
  { to: '' },
  { to: undefined },
  { pickup: 'x' },
])('%j is an error at that field, and no order', (about) => {
  const { errors, order, values } = read(about);
  const [field = ''] = Object.keys(about);
  expect(errors).toEqual([{ field, message: expect.stringMatching(/^\p{Lu}[^.]+$/u) }]);
  expect(order).toBeUndefined();
  expect(values).toMatchObject({ ...good, [field]: Object.values(about)[0] ?? '' });
});

test('a warehouse belongs to the marketplace', () => {
  const koledino = calculator.warehouses.find(({ id }) => id === good.to)?.text;
  const { errors, order } = read({ mp: 'ozon' });
  expect(order).toBeUndefined();
  const message = `Склад ${koledino} принимает только Wildberries. Выберите другой склад или маркетплейс`;
  expect(errors).toEqual([{ field: 'to', message }]);
  expect(errorsOf({ mp: 'ozon', to: 'tula' })).toEqual([]);
});

test.each([
  ['a warehouse and packaging', { scheme: 'fbs', to: 'mars', pack: 'x' }, { to: '', pack: 'none' }],
  ['kilometres', { pickup: 'none', km: 'x' }, { km: '' }],
])('%s where they do not matter are not read, and not kept', (_, about, instead) => {
  const { errors, values, order } = read(about);
  expect(errors).toEqual([]);
  expect(order).toMatchObject({ km: 0 });
  expect(values).toMatchObject(instead);
  expect(read({ scheme: 'fbs' }).order?.warehouse).toBeUndefined();
  expect(read({ km: '10', pickup: 'van' }).order?.km).toBe(10);
});

test('fewer places than the goods can go into are an error, and not put right', () => {
  // 1 200 × 2.48 litres need 31 boxes of 96 litres.
  expect(errorsOf({ places: '30' })).toEqual(['places']);
  expect(errorsOf({ places: '31' })).toEqual([]);
  expect(read({ places: '30', weight: '10' }).errors[0]?.message).toContain('не меньше 480\u00A0коробов');
});

test('errors stand in the order of the form', () => {
  const fields = readOrder(calculator, { units: '' }).errors.map(({ field }) => field);
  expect(fields).toEqual(['mp', 'units', 'weight', 'length', 'width', 'height', 'to']);
  expect(fields.toSorted((a, b) => orderFields.indexOf(a) - orderFields.indexOf(b))).toEqual(fields);
});

test('an address without a number of units only fills the form in, and still refuses what it does not know', () => {
  expect(readOrder(calculator, {})).toMatchObject({ errors: [], order: undefined, values: { scheme: 'fbo', mp: '' } });
  expect(readOrder(calculator, { pack: 'zip' })).toMatchObject({ errors: [], values: { pack: 'zip' } });
  expect(readOrder(calculator, { pack: 'nothing' }).errors).toHaveLength(1);
});

test('the address of an order says the same again, with plain numbers', () => {
  expect(orderQuery(read({ units: '1 200' }).values)).toBe(orderQuery(read().values));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 1, max: 1200 }), (units, tenths) => {
      const reading = read({ units: String(units), length: `${Math.floor(tenths / 10)},${tenths % 10}`, places: '' });
      const again = readOrder(calculator, Object.fromEntries(new URLSearchParams(orderQuery(reading.values))));
      expect(again).toEqual(reading);
    }),
  );
  expect(calculatorPath('')).toBe('/rates/calc');
});

test('whatever an address holds, reading never throws, and an order has no errors', () => {
  const value = fc.option(fc.oneof(fc.string(), fc.constantFrom('1', '10', 'wb', 'fbo', 'bag', 'box')), {
    nil: undefined,
  });
  fc.assert(
    fc.property(fc.record(Object.fromEntries(orderFields.map((field) => [field, value]))), (query) => {
      const { errors, order } = readOrder(calculator, query);
      expect(order !== undefined && errors.length > 0).toBe(false);
    }),
  );
});
