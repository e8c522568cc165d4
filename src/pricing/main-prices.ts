import type { Rate, RateGroup, Rates } from '../model/content.ts';
import { tierAt } from './price-list.ts';

/** What an order of `batch` units pays for one, in kopecks. */
export type BatchPrice = {
  unit: string;
  price: number;
  /** It is omitted if a single unit costs the same. */
  batch?: number;
  /** The best price of a larger order. */
  lowest?: { from: number; price: number };
};

/** `text` has two or three words. */
export type MainPrice = BatchPrice & { text: string };

/** A first order does not reach the price of the lowest tier. */
export function batchPrice({ batches }: Pick<Rates, 'batches'>, { unit, tiers }: Rate): BatchPrice {
  const units = batches.find((batch) => batch.unit === unit)?.units ?? 1;
  const tier = tierAt(tiers, units) ?? tiers[0];
  const lowest = tiers.toSorted((a, b) => a.price - b.price)[0];
  if (tier === undefined || lowest === undefined) throw new Error('A rate has no tier');
  return {
    ...{ unit, price: tier.price },
    ...(tier.from > 1 && { batch: Math.max(units, tier.from) }),
    ...(lowest.price < tier.price && { lowest }),
  };
}

/** Editors choose them to represent the group. */
export function mainPrices(rates: Rates, { lead }: Pick<RateGroup, 'lead'>): MainPrice[] {
  const rows = rates.groups.flatMap((group) => group.rows);
  return lead.flatMap(({ rate, text }) => {
    const row = rows.find(({ id }) => id === rate);
    return row ? [{ text, ...batchPrice(rates, row) }] : [];
  });
}

export function mainPricesOf({ rates }: { rates: Rates }, group: string | undefined): MainPrice[] {
  return rates.groups.filter(({ id }) => id === group).flatMap((one) => mainPrices(rates, one));
}
