import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { shownSite } from '../testing/test-site.ts';
import { type Bill, billOf, billText, readBill } from './bill.ts';
import { calculate, type Line } from './calculation.ts';
import { cheaper } from './calculation-words.ts';
import { readOrder } from './order.ts';

const { calculator, rates } = (await shownSite()).content;
const address = 'https://korob.example/rates/calc?mp=wb&units=1000';

function billFor(about: Record<string, string>): Bill {
  const { order } = readOrder(calculator, { ...calculator.example, ...about });
  if (order === undefined) throw new Error('This is no order.');
  return billOf(calculator, calculate(rates, calculator, order));
}

const plain = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll('\u00A0', ' '));
const kept = ({ rows, ...bill }: Bill) => plain({ ...bill, rows: rows.map(({ hint: _, ...row }) => row) });

test('a bill is read back from the text that is kept of it: sums, minimums and what has no sum', () => {
  const any = fc.record({
    units: fc.integer({ min: 1, max: 120_000 }).map(String),
    weight: fc.constantFrom('0,3', '2', '26'),
    mark: fc.constantFrom(...calculator.marking.map(({ id }) => id)),
    days: fc.constantFrom('', '30', '400'),
    pickup: fc.constantFrom(...calculator.pickup.map(({ id }) => id)),
    places: fc.constant(''),
  });
  const seen = { minimum: false, individual: false };
  fc.assert(
    fc.property(any, (about) => {
      const bill = billFor(about);
      const read = readBill(billText(bill, '2026-11-01', address));
      expect(plain(read)).toEqual({ bill: kept(bill), prices: 'Цены с 1 ноября 2026 г.', address });
      seen.minimum ||= bill.rows.some(({ formula }) => formula.includes('минимум'));
      seen.individual ||= bill.perUnit === undefined;
    }),
  );
  expect(seen).toEqual({ minimum: true, individual: true });
  expect(readBill('Упаковка: 130 ₽\nИтого: 130 ₽')).toBeUndefined();
});

const box: [string, string, string] = ['короб', 'короба', 'коробов'];
const line: Line = {
  ...{ rate: 'fbo', text: 'FBO', factors: [{ count: 1000, unit: 'шт.' }], price: 1250 },
  ...{ larger: { from: 2000, unit: 'шт.', price: 1050 }, product: 1_250_000, sum: 1_250_000 },
};

test.each([
  [{}, 'От 2 000 шт. — 10,50 ₽ вместо 12,50 ₽'],
  [{ next: { count: 2, price: 120 } }, 'От 2 000 шт. первый литр — 10,50 ₽ вместо 12,50 ₽'],
  [{ larger: { from: 21, unit: 'короб', price: 1000 } }, 'От 21 короба — 10 ₽ вместо 12,50 ₽'],
  [{ larger: { from: 30, unit: 'короб', price: 1000 } }, 'От 30 коробов — 10 ₽ вместо 12,50 ₽'],
  [{ larger: undefined }, undefined],
  // The minimum charge applies, so larger quantities would not be cheaper.
  [{ sum: 2_000_000 }, undefined],
])('a row says from which volume on a unit costs less: %j', (about, hint) => {
  expect(plain({ hint: cheaper({ plurals: { короб: box } }, { ...line, ...about } as Line) })).toEqual({ hint });
});
