import { expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Rate } from '../../model/content.ts';
import { all, one, parseHtml, textOf } from '../../tests/support/html.ts';
import { PriceGrid } from './price-grid.tsx';

const rate = (text: string, prices: readonly number[], unit = 'кг', minimum?: number): Rate => ({
  id: text,
  text,
  unit,
  minimum,
  tiers: prices.map((roubles, index) => ({ from: [1, 500, 2000][index] ?? 0, price: roubles * 100 })),
});

function shown(rows: readonly Rate[]) {
  const group = { id: 'cargo', title: 'Карго', lead: [], rows: [...rows] };
  const page = parseHtml(renderToStaticMarkup(<PriceGrid group={group} vat="С НДС" />));
  return {
    grid: all(page, '.price-grid tr').map((row) => all(row, 'th, td').map(textOf)),
    caption: all(page, '.price-grid caption').map(textOf),
    list: all(one(page, '.prices'), 'th').map(textOf),
  };
}

const dense = [
  rate('Авто, плотность от 400', [235, 215, 198]),
  rate('Авто, плотность 300–399', [255, 235, 218]),
  rate('Авто, плотность 200–299', [285, 264, 245]),
];
const rail = rate('Поезд, плотность от 200', [195, 182]);

test('rows with the same steps are a grid under their common words, and the others stay a list', () => {
  expect(shown([...dense, rail])).toEqual({
    caption: ['Авто, за кг'],
    grid: [
      ['Плотность', 'до 500 кг', 'от 500', 'от 2 000'],
      ['от 400', '235 ₽', '215 ₽', '198 ₽'],
      ['300–399', '255 ₽', '235 ₽', '218 ₽'],
      ['200–299', '285 ₽', '264 ₽', '245 ₽'],
    ],
    list: ['Поезд, плотность от 200'],
  });
});

test.each([
  ['Авто, ', ['Авто', 'Услуга', 'до 100', '100–199', 'от 200']],
  ['Авто ', ['Авто', 'Услуга', 'до 100', '100–199', 'от 200']],
  ['', ['Карго', 'Услуга', 'до 100', '100–199', 'от 200']],
])('rows that begin with %j have a caption and a name for their column', (common, expected) => {
  const { grid, caption } = shown(['до 100', '100–199', 'от 200'].map((text) => rate(common + text, [2, 1])));
  expect([caption[0]?.split(',')[0], ...grid.map(([name]) => name)]).toEqual(expected);
});

test('a row with another unit, minimum or steps ends the grid, which needs three rows', () => {
  const others = [rate('Авто, лёгкое', [1, 2, 3], 'м³'), rate('Авто, лёгкое', [1, 2, 3], 'кг', 500), rail];
  for (const other of others) {
    expect(shown([...dense.slice(0, 2), other, ...dense]).grid).toEqual([]);
    expect(shown([...dense, other]).grid).toHaveLength(4);
  }
});
