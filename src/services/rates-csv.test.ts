import { expect, test } from '@jest/globals';
import Papa from 'papaparse';
import type { Rates } from '../model/content.ts';
import { ratesCsv, ratesCsvDisposition } from './rates-csv.ts';

const rates: Rates = {
  effective: '2026-11-01',
  vat: 'Цены включают НДС 22\u00A0%',
  materials: '',
  groups: [
    {
      id: 'package',
      title: 'Упаковка',
      lead: [],
      rows: [
        {
          id: 'bag',
          text: 'Пакет «М»; до 1\u00A0литра',
          unit: 'шт.',
          tiers: [
            { from: 1, price: 1300 },
            { from: 500, price: 1105 },
          ],
          next: { unit: 'следующий литр', price: 9 },
          minimum: 190_000,
        },
        { id: 'sum', text: '=HYPERLINK("https://example.com")', unit: '-1', tiers: [{ from: 1, price: 0 }] },
      ],
    },
  ],
};

test('the price list opens in Russian Excel: its mark, semicolons, decimal commas, a line for each tier', () => {
  const [header, first, second] = ratesCsv(rates).split('\r\n');
  expect(header).toBe(
    '\ufeffid;Группа;Услуга;Единица;От;Цена, ₽;Следующая единица;Цена следующей, ₽;Минимум, ₽;НДС;Действует с',
  );
  expect(first).toBe(
    'bag;Упаковка;"Пакет «М»; до 1 литра";шт.;1;13,00;следующий литр;0,09;1900,00;Цены включают НДС 22 %;2026-11-01',
  );
  expect(second).toMatch(/^bag;.*;500;11,05;/);
  expect(ratesCsv(rates).endsWith('\r\n')).toBe(true);
});

test('no cell is run as a formula', () => {
  const { data } = Papa.parse<string[]>(ratesCsv(rates).slice(1), { delimiter: ';', skipEmptyLines: true });
  expect(data[3]?.slice(2, 4)).toEqual([`'=HYPERLINK("https://example.com")`, `'-1`]);
  expect(data.every((cells) => cells.length === 11)).toBe(true);
});

test('the file is saved under the date from which the prices hold', () => {
  expect(ratesCsvDisposition(rates)).toBe('attachment; filename="tarify-2026-11-01.csv"');
});
