import type { Rates } from '../site/content.ts';

/** What to count: so many units of a rate, by its id. */
export type Order = { rate: string; count: number };

export type BillLine = { rate: string; text: string; count: number; price: number; sum: number };
export type Bill = { lines: readonly BillLine[]; total: number };

/**
 * The bill for an order, in kopecks: the price of a tier holds for the whole
 * count. `undefined` if a rate is not in the table, so that no sum is ever partial.
 */
export function billFor(rates: Rates, order: readonly Order[]): Bill | undefined {
  const rows = rates.groups.flatMap((group) => group.rows);
  const lines = order.flatMap(({ rate, count }) => {
    const row = rows.find(({ id }) => id === rate);
    const tier = row?.tiers.findLast(({ from }) => from <= count);
    if (!row || !tier) return [];
    const sum = Math.max(tier.price * count, row.minimum ?? 0);
    return [{ rate, text: row.text, count, price: tier.price, sum }];
  });
  if (lines.length < order.length) return undefined;
  return { lines, total: lines.reduce((total, { sum }) => total + sum, 0) };
}
