import { expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Rate } from '../../model/content.ts';
import { all, one, parseHtml, textOf } from '../../tests/support/html.ts';
import { PriceGrid } from './price-grid.tsx';

const rate = (id: string, density: number | undefined, prices: readonly number[], more: Partial<Rate> = {}): Rate => ({
  ...{ id, text: id, unit: 'кг' },
  tiers: prices.map((roubles, index) => ({ from: [1, 500, 2000][index] ?? 0, price: roubles * 100 })),
  ...(density !== undefined && { density: { from: density, by: 'weight' } }),
  ...more,
});

function shown(rows: readonly Rate[], grid?: string) {
  const group = { id: 'cargo', title: 'Карго', lead: [], grid, rows };
  const page = parseHtml(renderToStaticMarkup(<PriceGrid group={group} vat="С НДС" />));
  return {
    grid: all(page, '.price-grid tr').map((row) => all(row, 'th, td').map(textOf)),
    caption: all(page, '.price-grid caption').map(textOf),
    list: all(one(page, '.prices'), 'th').map(textOf),
  };
}

const dense = [
  rate('d400', 400, [235, 215, 198], { minimum: 1500_00 }),
  rate('d300', 300, [255, 235, 218], { minimum: 1500_00 }),
];
const light = rate('light', 0, [1, 2, 3], { unit: 'м³', density: { from: 0, by: 'volume' } });
const others = [rate('rail', undefined, [195, 182]), rate('d100', 100, [9, 8]), light];

test('prices for a kilogram by density are a grid, with a row up to the next density, and the others stay a list', () => {
  expect(shown([others[0] as Rate, ...dense, ...others.slice(1)], 'Китай, авто')).toEqual({
    caption: ['Китай, авто, за кг, не меньше 1 500 ₽'],
    grid: [
      ['Плотность', 'до 500 кг', 'от 500', 'от 2 000'],
      ['от 400 кг/м³', '235 ₽', '215 ₽', '198 ₽'],
      ['300–399 кг/м³', '255 ₽', '235 ₽', '218 ₽'],
    ],
    list: ['rail', 'd100', 'light'],
  });
});

test('without a caption for the grid, all prices are a list', () => {
  expect(shown([...dense, light])).toEqual({
    caption: [],
    grid: [],
    list: ['d400минимум 1 500 ₽', 'd300минимум 1 500 ₽', 'light'],
  });
});
