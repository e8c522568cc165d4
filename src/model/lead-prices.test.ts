import { expect, test } from '@jest/globals';
import { leadPrices } from './lead-prices.ts';

const row = (id: string, prices: number[]) => ({
  id,
  text: `Строка ${id}`,
  unit: 'шт.',
  tiers: prices.map((price, index) => ({ from: index + 1, price })),
});

test('leads with what the editor chose, at its lowest price, however little another row costs', () => {
  const group = {
    id: 'fulfillment',
    title: 'Фулфилмент',
    lead: [
      { rate: 'fbs', text: 'FBS' },
      { rate: 'fbo', text: 'FBO' },
    ],
    rows: [row('counting', [300]), row('fbo', [1500, 900]), row('fbs', [5800, 3900, 4400])],
  };
  expect(leadPrices(group)).toEqual([
    { text: 'FBS', unit: 'шт.', from: 3900 },
    { text: 'FBO', unit: 'шт.', from: 900 },
  ]);
});
