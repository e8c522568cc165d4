import type { Calculator, Departure, Rates } from '../model/content.ts';

/** Ids of the rates for one box and one pallet to the warehouse of a departure. */
export function deliveryRates(departure: string) {
  return { box: `${departure}-box`, pallet: `${departure}-pallet` };
}

/** Adds the warehouses to which both boxes and pallets have a price. */
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
