import { expect, test } from '@jest/globals';
import { shownSite } from '../testing/test-site.ts';
import { type Bill, billOf, billText } from './bill.ts';
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

test('a bill as text has its order, each row with its formula and sum, the total and whence its prices are', () => {
  const row = { text: 'Упаковка', formula: '10\u00A0шт. × 13\u00A0₽', sum: '130\u00A0₽' };
  const least = {
    text: 'Забор',
    formula: '1\u00A0короб × 560\u00A0₽, минимум 1\u00A0900\u00A0₽ вместо 560\u00A0₽',
    sum: '1\u00A0900\u00A0₽',
  };
  const dated = { effective: '2026-11-01', address };
  const bill = { order: 'Ozon, FBO', rows: [row, least], total: '2\u00A0030\u00A0₽', perUnit: '203\u00A0₽', ...dated };
  expect(billText(bill).split('\n')).toEqual([
    'Ozon, FBO',
    'Упаковка: 130 ₽ (10 шт. × 13 ₽)',
    'Забор: 1 900 ₽ (1 короб × 560 ₽, минимум 1 900 ₽ вместо 560 ₽)',
    'Итого: 2 030 ₽, на единицу 203 ₽',
    `Цены с 1 ноября 2026 г., ${address}`,
  ]);
  const beyond = billText({ ...billFor({ days: '400' }), ...dated });
  expect(beyond).toMatch(/\n[^\n]+: индивидуально \(дольше \d+ суток\)\nИтого: индивидуально\nЦены/);
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
