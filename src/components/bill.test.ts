import { expect, test } from '@jest/globals';
import type { Rates } from '../site/content.ts';
import { billFor } from './bill.ts';

const rates: Rates = {
  effective: '2026-11-01',
  vat: 'Цены включают НДС',
  materials: 'Пакеты входят в цену',
  groups: [
    {
      id: 'package',
      title: 'Упаковка',
      rows: [
        {
          id: 'bag',
          text: 'Пакет',
          unit: 'шт.',
          tiers: [
            { from: 1, price: 1300 },
            { from: 500, price: 1100 },
          ],
        },
        { id: 'label', text: 'Этикетка', unit: 'шт.', tiers: [{ from: 1, price: 700 }], minimum: 70_000 },
        { id: 'rail', text: 'Поезд', unit: 'кг', tiers: [{ from: 300, price: 19_500 }] },
      ],
    },
  ],
};

test('the tier that is reached holds for every unit', () => {
  expect(billFor(rates, [{ rate: 'bag', count: 499 }])?.total).toBe(499 * 1300);
  expect(billFor(rates, [{ rate: 'bag', count: 500 }])?.total).toBe(500 * 1100);
});

test('a line never costs less than its minimum', () => {
  expect(billFor(rates, [{ rate: 'label', count: 10 }])?.total).toBe(70_000);
});

test('no bill rather than a wrong one, where a rate is missing or the volume too small for it', () => {
  expect(
    billFor(rates, [
      { rate: 'bag', count: 1 },
      { rate: 'box', count: 1 },
    ]),
  ).toBeUndefined();
  expect(billFor(rates, [{ rate: 'rail', count: 299 }])).toBeUndefined();
});
