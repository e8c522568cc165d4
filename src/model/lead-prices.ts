import type { RateGroup } from './content.ts';

/** A price to start from: `{ text: 'FBO', unit: 'шт.', from: 900 }`, in kopecks. */
export type LeadPrice = { text: string; unit: string; from: number };

/** The prices by which sellers compare a group of rates with others, as its editor chose them. */
export function leadPrices({ lead, rows }: RateGroup): LeadPrice[] {
  return lead.flatMap(({ rate, text }) => {
    const row = rows.find(({ id }) => id === rate);
    return row ? [{ text, unit: row.unit, from: Math.min(...row.tiers.map(({ price }) => price)) }] : [];
  });
}
