import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Calculator, Rates } from '../model/content.ts';
import { shownSite } from '../testing/test-site.ts';
import { type Calculation, calculate, type Line, type Order } from './calculation.ts';

const rates: Rates = {
  effective: '2026-11-01',
  vat: 'Цены включают НДС',
  materials: 'Пакеты входят в цену',
  groups: [
    {
      id: 'all',
      title: 'Всё',
      lead: [],
      rows: [
        row(
          'bag',
          [
            [1, 1300],
            [500, 1100],
          ],
          { next: { unit: 'следующий литр', price: 80 } },
        ),
        row('label', [[1, 700]], { minimum: 70_000 }),
        row('sample', [[1, 1400]]),
        row('document', [
          [1, 120_000],
          [5, 105_000],
        ]),
        row('fbo', [[1, 1500]]),
        row('trip', [
          [1, 95_000],
          [12, 80_000],
        ]),
        row('litre', [
          [1, 9],
          [5000, 8],
        ]),
        row('pallet-day', [
          [1, 5200],
          [10, 4700],
        ]),
        row(
          'box',
          [
            [1, 52_000],
            [10, 44_000],
          ],
          { minimum: 150_000 },
        ),
        row('pallet', [[2, 420_000]]),
        row('van', [[1, 650_000]]),
        row('km', [
          [1, 5500],
          [31, 5000],
        ]),
      ],
    },
  ],
};

function row(id: string, tiers: [number, number][], more: object = {}): Rates['groups'][number]['rows'][number] {
  return { id, text: id, unit: 'шт.', tiers: tiers.map(([from, price]) => ({ from, price })), ...more };
}

const unit = (rate: string, more: object = {}) => ({ rate, of: 'unit' as const, per: 1, times: 1, ...more });

const calculator: Calculator = {
  limits: { units: 10_000, side: 120, weight: 25, days: 365, km: 60 },
  plurals: { короб: ['короб', 'короба', 'коробов'] },
  marketplaces: [{ id: 'wb', text: 'Wildberries' }],
  schemes: [
    { id: 'fbo', text: 'FBO', name: 'FBO', delivered: true, packed: false, operations: [unit('fbo')] },
    {
      ...{ id: 'fbs', text: 'FBS', name: 'FBS', delivered: false, packed: true },
      operations: [unit('trip', { of: 'order', times: 26 })],
    },
  ],
  places: {
    box: { text: 'Короба', unit: 'короб', size: [60, 40, 40], weight: 25, fill: 80, most: 100 },
    pallet: { text: 'Паллеты', unit: 'паллета', size: [120, 80, 165], weight: 480, fill: 75, most: 16 },
  },
  receiving: [],
  packaging: [
    { id: 'none', text: 'Нет', operations: [] },
    { id: 'bag', text: 'Пакет', operations: [unit('bag')] },
  ],
  marking: [
    { id: 'none', text: 'Нет', operations: [] },
    { id: 'label', text: 'Этикетка', operations: [unit('label'), unit('document', { per: 1000 })] },
  ],
  verification: [
    { id: 'none', text: 'Нет', operations: [] },
    { id: 'sample', text: 'Выборка', operations: [unit('sample', { per: 10 })] },
  ],
  storage: {
    free: 7,
    operations: [
      unit('litre', { of: 'litre-day', for: 'box' }),
      unit('pallet-day', { of: 'place-day', for: 'pallet' }),
    ],
  },
  warehouses: [{ id: 'koledino', text: 'Коледино', marketplaces: ['wb'], rates: { box: 'box', pallet: 'pallet' } }],
  pickup: [
    { id: 'none', text: 'Нет', operations: [] },
    {
      ...{ id: 'van', text: 'Фургон', most: { weight: 1500, box: 70, pallet: 3 } },
      operations: [unit('van', { of: 'order' }), unit('km', { of: 'km' })],
    },
  ],
  example: {},
};

const plain: Order = {
  marketplace: 'wb',
  scheme: 'fbo',
  units: 100,
  size: [200, 100, 50],
  weight: 300,
  packaging: 'none',
  marking: 'none',
  verification: 'none',
  days: 0,
  place: 'box',
  places: 10,
  warehouse: undefined,
  pickup: 'none',
  km: 0,
};

const of = (about: Partial<Order>) => calculate(rates, calculator, { ...plain, ...about });
const lineOf = (calculation: Calculation, rate: string): Line | undefined =>
  calculation.lines.find((line) => line.rate === rate);
const sumOf = (about: Partial<Order>, rate: string) => lineOf(of(about), rate)?.sum;

test('the tier that is reached holds for every unit', () => {
  expect(sumOf({ packaging: 'bag', units: 499 }, 'bag')).toBe(499 * 1300);
  expect(sumOf({ packaging: 'bag', units: 500 }, 'bag')).toBe(500 * 1100);
});

test('litres are rounded up, and each after the first has a price of its own', () => {
  const bag = (size: Order['size']) => sumOf({ packaging: 'bag', size }, 'bag');
  expect(bag([200, 100, 50])).toBe(100 * 1300);
  expect(bag([200, 100, 51])).toBe(100 * (1300 + 80));
  expect(bag([200, 160, 100])).toBe(100 * (1300 + 3 * 80));
});

test('a line never costs less than its minimum, and says what it would have cost', () => {
  expect(lineOf(of({ marking: 'label', units: 10 }), 'label')).toMatchObject({ product: 7000, sum: 70_000 });
  expect(lineOf(of({ marking: 'label', units: 101 }), 'label')).toMatchObject({ product: 70_700, sum: 70_700 });
});

test('one of every so many is rounded up', () => {
  expect(lineOf(of({ verification: 'sample', units: 101 }), 'sample')).toMatchObject({ factors: [{ count: 11 }] });
  expect(sumOf({ marking: 'label', units: 4001 }, 'document')).toBe(5 * 105_000);
});

test('what is part of the scheme has no line, and what comes so many times is multiplied', () => {
  const calculation = of({ scheme: 'fbs', packaging: 'bag' });
  expect(calculation.lines.map(({ rate }) => rate)).toEqual(['trip']);
  expect(calculation.total).toBe(26 * 80_000);
});

test('storage is free at first; its tier goes by litres or places, whatever the days', () => {
  expect(of({ days: 7 }).lines.map(({ rate }) => rate)).toEqual(['fbo']);
  expect(sumOf({ days: 8, units: 4999 }, 'litre')).toBe(4999 * 9);
  expect(sumOf({ days: 107, units: 100 }, 'litre')).toBe(100 * 100 * 9);
  expect(sumOf({ days: 9, units: 5000 }, 'litre')).toBe(5000 * 2 * 8);
  expect(sumOf({ days: 8, place: 'pallet', places: 10 }, 'pallet-day')).toBe(10 * 4700);
});

test('places are estimated by volume and by weight, and taken as they are if the visitor knows', () => {
  const places = (about: Partial<Order>) => of({ places: undefined, ...about }).places;
  // 76.8 of 96 litres hold 76 units of one litre.
  expect(places({ units: 77 })).toEqual({ kind: 'box', count: 2, estimated: true });
  expect(places({ units: 76 })).toMatchObject({ count: 1 });
  expect(places({ units: 3, weight: 12_600 })).toMatchObject({ count: 3 });
  // Exceeds the usual fill, so one per box.
  expect(places({ units: 5, size: [600, 400, 390] })).toMatchObject({ count: 5 });
  expect(places({ places: 7 })).toEqual({ kind: 'box', count: 7, estimated: false });
});

test.each<[string, Partial<Order>]>([
  ['more units', { units: 10_001 }],
  ['a longer side', { size: [1201, 100, 50], place: 'pallet' }],
  ['more weight', { weight: 25_001 }],
  ['what does not go into the place', { size: [601, 100, 50] }],
  ['more places', { places: 101 }],
  ['more places than the estimate allows', { places: undefined, units: 7700 }],
])('%s than the limits: no line and no total', (_, about) => {
  const { lines, beyond, total, perUnit } = of({ packaging: 'bag', ...about });
  expect([lines, total, perUnit]).toEqual([[], undefined, undefined]);
  expect(beyond).toHaveLength(1);
});

test.each<[string, Partial<Order>]>([
  ['a car that is too small for the weight', { pickup: 'van', weight: 16_000 }],
  ['a car that is too small for the places', { pickup: 'van', places: 71 }],
  ['a way that is too long', { pickup: 'van', km: 61 }],
  ['storage that is too long', { days: 366 }],
  ['fewer places than the rates begin with', { place: 'pallet', places: 1, warehouse: 'koledino' }],
])('%s leaves the other lines, and no total', (_, about) => {
  const { lines, beyond, total, perUnit } = of({ packaging: 'bag', ...about });
  expect(lines.map(({ rate }) => rate)).toEqual(['bag', 'fbo']);
  expect([total, perUnit]).toEqual([undefined, undefined]);
  expect(beyond).toHaveLength(1);
});

test('the price of a unit is the total shared, to the nearest kopeck', () => {
  expect(of({ units: 3, pickup: 'van' })).toMatchObject({ total: 654_500, perUnit: 218_167 });
  expect(of({ units: 8, pickup: 'van', km: 1 })).toMatchObject({ total: 667_500, perUnit: 83_438 });
});

const content = (await shownSite()).content;
const shipped = content.calculator;
const idIn = (choices: readonly { id: string }[]) => fc.constantFrom(...choices.map(({ id }) => id));
const side = fc.integer({ min: 1, max: 1300 });
const anyOrder: fc.Arbitrary<Order> = fc.record({
  marketplace: idIn(shipped.marketplaces),
  scheme: idIn(shipped.schemes),
  units: fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 9_999_999 })),
  size: fc.tuple(side, side, side),
  weight: fc.integer({ min: 1, max: 26_000 }),
  packaging: idIn(shipped.packaging),
  marking: idIn(shipped.marking),
  verification: idIn(shipped.verification),
  days: fc.integer({ min: 0, max: 400 }),
  place: fc.constantFrom('box', 'pallet'),
  places: fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
  warehouse: fc.option(idIn(shipped.warehouses), { nil: undefined }),
  pickup: idIn(shipped.pickup),
  km: fc.integer({ min: 0, max: 70 }),
});

test('whatever is ordered: integers, a total that is the sum of the lines, and none where anything is beyond the rates', () => {
  const rows = new Map(content.rates.groups.flatMap((group) => group.rows.map((one) => [one.id, one])));
  let totals = 0;
  fc.assert(
    fc.property(anyOrder, (order) => {
      const { lines, beyond, total, perUnit } = calculate(content.rates, shipped, order);
      for (const { rate, factors, price, next, product, sum } of lines) {
        const count = factors.reduce((all, factor) => all * factor.count, 1);
        for (const number of [count, price, product, sum]) expect(Number.isSafeInteger(number)).toBe(true);
        expect(product).toBe(count * (price + (next ? next.count * next.price : 0)));
        expect(sum).toBe(Math.max(product, rows.get(rate)?.minimum ?? 0));
        // Storage tiers depend on the amount stored, not on days.
        const tiers = rows.get(rate)?.tiers ?? [];
        expect(price).toBe(tiers.findLast(({ from }) => from <= (factors[0]?.count ?? 0))?.price);
      }
      expect(new Set(lines.map(({ rate }) => rate)).size).toBe(lines.length);
      if (beyond.length > 0) {
        expect([total, perUnit]).toEqual([undefined, undefined]);
      } else {
        totals += 1;
        expect(total).toBe(lines.reduce((all, { sum }) => all + sum, 0));
        expect(Number.isSafeInteger(perUnit)).toBe(true);
        expect(2 * Math.abs((perUnit ?? 0) * order.units - (total ?? 0))).toBeLessThanOrEqual(order.units);
      }
    }),
    { numRuns: 2000 },
  );
  expect(totals).toBeGreaterThan(20);
});

test('no number is ever given beyond a limit', () => {
  const { limits } = shipped;
  fc.assert(
    fc.property(anyOrder, (order) => {
      const { units, size, weight, days, km, pickup } = order;
      const within =
        units <= limits.units &&
        Math.max(...size) <= limits.side * 10 &&
        weight <= limits.weight * 1000 &&
        days <= limits.days &&
        (km <= limits.km || pickup === 'none');
      const { total, places } = calculate(content.rates, shipped, order);
      if (!within || (places && places.count > shipped.places[places.kind].most)) expect(total).toBeUndefined();
    }),
    { numRuns: 1000 },
  );
});
