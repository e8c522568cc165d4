import type { RateGroup } from './content.ts';

/** In kopecks: `{ text: 'FBO', unit: 'шт.', from: 900 }`. */
export type LeadPrice = { text: string; unit: string; from: number };

/** Chosen by editors to represent the group. */
export function leadPrices({ lead, rows }: RateGroup): LeadPrice[] {
  return lead.flatMap(({ rate, text }) => {
    const row = rows.find(({ id }) => id === rate);
    return row ? [{ text, unit: row.unit, from: Math.min(...row.tiers.map(({ price }) => price)) }] : [];
  });
}
