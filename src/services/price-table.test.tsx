import { expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Rate } from '../model/content.ts';
import { all, one, parseHtml, textOf } from '../testing/html.ts';
import { PriceTable } from './price-table.tsx';

const bag: Rate = {
  id: 'package-bag',
  text: 'Пакет, до 1 литра',
  unit: 'шт.',
  tiers: [
    { from: 1, price: 1300 },
    { from: 500, price: 1150 },
  ],
};

const rowsOf = (...rows: Rate[]) => {
  const html = renderToStaticMarkup(<PriceTable group={{ id: 'package', title: 'Упаковка', lead: [], rows }} />);
  return all(one(parseHtml(html), 'tbody'), 'tr');
};
const cellsOf = (rate: Rate) =>
  rowsOf(rate).flatMap((row) =>
    [...all(row, 'th'), ...all(row, 'td')].map((cell) => textOf(cell).replaceAll('\u00A0', ' ')),
  );

test('a row says what is done, for which unit, and from which volume on each price holds', () => {
  expect(cellsOf(bag)).toEqual(['Пакет, до 1 литра', 'шт.', 'от 1 13 ₽', 'от 500 11,50 ₽']);
});

test('what a price does not say stands below the name', () => {
  const rate = { ...bag, note: 'До 5 кг', next: { unit: 'следующий литр', price: 80 }, minimum: 50_000 };
  expect(cellsOf(rate)[0]).toBe('Пакет, до 1 литраДо 5 кгследующий литр: + 0,80 ₽минимум 500 ₽');
});

test('each row can be linked to', () => {
  const rows = rowsOf(bag, { ...bag, id: 'package-zip' });
  expect(rows.map(({ attrs }) => attrs.id)).toEqual(['package-bag', 'package-zip']);
});
