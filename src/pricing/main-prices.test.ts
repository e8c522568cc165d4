import { expect, test } from '@jest/globals';
import { shownSite } from '../tests/support/test-site.ts';
import { batchPrice, mainPrices } from './main-prices.ts';

const rate = (unit: string, tiers: [from: number, price: number][]) => ({
  ...{ id: 'row', text: '', unit },
  tiers: tiers.map(([from, price]) => ({ from, price })),
});
const batches = [{ unit: 'шт', units: 1000 }];

test.each([
  [
    'the tier of the batch',
    rate('шт', [
      [1, 900],
      [500, 800],
      [2000, 700],
    ]),
    { price: 800, batch: 1000, lowest: { from: 2000, price: 700 } },
  ],
  [
    'a tier that starts at the batch',
    rate('шт', [
      [1, 900],
      [1000, 800],
    ]),
    { price: 800, batch: 1000 },
  ],
  [
    'the first tier, if the batch is below the second',
    rate('шт', [
      [1, 900],
      [1001, 800],
    ]),
    { price: 900, lowest: { from: 1001, price: 800 } },
  ],
  [
    'one unit, if the unit has no batch',
    rate('рейс', [
      [1, 900],
      [4, 800],
    ]),
    { price: 900, lowest: { from: 4, price: 800 } },
  ],
  ['a first tier above the batch', rate('шт', [[5000, 900]]), { price: 900, batch: 5000 }],
  ['a single price', rate('шт', [[1, 900]]), { price: 900 }],
])('the price of a batch is that of %s', (_, row, expected) => {
  expect(batchPrice({ batches }, row)).toEqual({ unit: row.unit, ...expected });
});

test('a group is represented by the rows that editors chose, in their order', async () => {
  const { rates } = (await shownSite()).content;
  for (const group of rates.groups) {
    const expected = group.lead.flatMap(({ rate, text }) =>
      group.rows.filter(({ id }) => id === rate).map((row) => ({ text, ...batchPrice(rates, row) })),
    );
    expect(mainPrices(rates, group)).toEqual(expected);
    expect(expected).toHaveLength(group.lead.length);
  }
});
