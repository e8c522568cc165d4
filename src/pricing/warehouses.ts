import type { Calculator, Company, Departure, Rates } from '../model/content.ts';

export function deliveryRates(departure: string) {
  return { box: `${departure}-box`, pallet: `${departure}-pallet` };
}

/** Only warehouses with prices for both boxes and pallets. */
export function withWarehouses(
  calculator: Omit<Calculator, 'marketplaces' | 'warehouses'>,
  { marketplaces }: Company,
  departures: readonly Departure[],
  { groups }: Rates,
): Calculator {
  const known = new Set(groups.flatMap(({ rows }) => rows.map(({ id }) => id)));
  const warehouses = departures.flatMap(({ id, warehouse, marketplaces: names }) => {
    const rates = deliveryRates(id);
    if (!known.has(rates.box) || !known.has(rates.pallet)) return [];
    const served = marketplaces.filter(({ text }) => names.includes(text));
    return [{ id, text: warehouse, marketplaces: served.map((one) => one.id), rates }];
  });
  return { ...calculator, marketplaces, warehouses };
}
