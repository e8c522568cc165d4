import type { Calculator, Departure, Rates } from '../model/content.ts';

export function deliveryRates(departure: string) {
  return { box: `${departure}-box`, pallet: `${departure}-pallet` };
}

/** Only warehouses with prices for both boxes and pallets. */
export function withWarehouses(
  calculator: Omit<Calculator, 'warehouses'>,
  departures: readonly Departure[],
  { groups }: Rates,
): Calculator {
  const known = new Set(groups.flatMap(({ rows }) => rows.map(({ id }) => id)));
  const warehouses = departures.flatMap(({ id, warehouse, marketplaces: names }) => {
    const marketplaces = calculator.marketplaces.filter(({ text }) => names.some((name) => name === text));
    const rates = deliveryRates(id);
    if (marketplaces.length === 0 || !known.has(rates.box) || !known.has(rates.pallet)) return [];
    return [{ id, text: warehouse, marketplaces: marketplaces.map((one) => one.id), rates }];
  });
  return { ...calculator, warehouses };
}
