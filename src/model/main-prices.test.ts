import { expect, test } from '@jest/globals';
import { shownSite } from '../tests/support/test-site.ts';
import { mainPrices } from './main-prices.ts';

test('a price «от» is the lowest of all tiers of its row', async () => {
  const { content } = await shownSite();
  for (const group of content.rates.groups) {
    const lowest = group.lead.map(({ rate }) => {
      const row = group.rows.find(({ id }) => id === rate);
      return row?.tiers.map(({ price }) => price).toSorted((a, b) => a - b)[0];
    });
    expect(mainPrices(group).map(({ from }) => from)).toEqual(lowest);
  }
  expect(content.rates.groups.some(({ rows }) => rows.some(({ tiers }) => tiers.length > 1))).toBe(true);
});
