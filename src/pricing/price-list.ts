import type { PriceRow, Rate, Rates, RateTexts } from '../model/content.ts';
import { cubicMetre } from '../model/schemas/prices-schema.ts';

/**
 * Applies the rule of `pricesSchema`. A list is effective from its day, also if that day only ends a service.
 *
 * @param day one of `daysOf`
 */
export function priceListOn(texts: RateTexts, table: readonly PriceRow[], day: string): Rates {
  const rates = rowsOn(table, day).map((rows) => ({ group: rows[0]?.group, rate: rateOf(rows) }));
  const groups = texts.groups.map((group) => ({
    ...group,
    rows: rates.flatMap((one) => (one.group === group.id ? one.rate : [])),
  }));
  return { effective: day, ...texts, groups };
}

/** The days on which prices change, in order. */
export function daysOf(table: readonly PriceRow[]): string[] {
  return [...new Set(table.map(({ since }) => since))].sort();
}

type Tier = PriceRow & { price: number };

/** Services that are in force, with their tiers from the smallest order on. */
export function rowsOn(table: readonly PriceRow[], day: string): Tier[][] {
  return [...Map.groupBy(table, ({ id }) => id).values()].flatMap((rows) => {
    const since = daysOf(rows).findLast((one) => one <= day);
    const tiers = rows.flatMap((row) =>
      row.since === since && row.price !== undefined ? { ...row, price: row.price } : [],
    );
    return tiers.length > 0 ? [tiers.sort((a, b) => a.from - b.from)] : [];
  });
}

function rateOf(tiers: readonly Tier[]): Rate {
  const [first] = tiers;
  if (first === undefined) throw new Error('A rate has no tier');
  const { id, text, unit, nextUnit, nextPrice, density, minimum, note } = first;
  return {
    id,
    text,
    unit,
    tiers: tiers.map(({ from, price }) => ({ from, price })),
    ...(nextUnit !== undefined && nextPrice !== undefined && { next: { unit: nextUnit, price: nextPrice } }),
    ...(density !== undefined && { density: { from: density, by: unit === cubicMetre ? 'volume' : 'weight' } }),
    ...(minimum !== undefined && { minimum }),
    ...(note !== undefined && { note }),
  };
}

/** `undefined` below the first tier. */
export function tierAt(tiers: Rate['tiers'], count: number): Rate['tiers'][number] | undefined {
  return tiers.findLast(({ from }) => from <= count);
}
