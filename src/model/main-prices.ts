import type { Rate, RateGroup, Rates } from './content.ts';

/** In kopecks: `{ text: 'FBO', unit: 'шт.', from: 900 }`. */
export type MainPrice = { text: string; unit: string; from: number };

/** Chosen by editors to represent the group. */
export function mainPrices({ lead, rows }: RateGroup): MainPrice[] {
  return lead.flatMap(({ rate, text }) => {
    const row = rows.find(({ id }) => id === rate);
    return row ? [{ text, unit: row.unit, from: lowestPrice(row) }] : [];
  });
}

/** Of a group by its id. */
export function mainPricesOf({ rates }: { rates: Rates }, group: string | undefined): MainPrice[] {
  return rates.groups.filter(({ id }) => id === group).flatMap(mainPrices);
}

export function lowestPrice({ tiers }: Rate): number {
  return Math.min(...tiers.map(({ price }) => price));
}
