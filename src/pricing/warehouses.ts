import type { Calculator, Company, Departure } from '../model/content.ts';

/** Only warehouses with prices. */
export function withWarehouses(
  calculator: Omit<Calculator, 'marketplaces' | 'warehouses'>,
  { marketplaces }: Company,
  departures: readonly Departure[],
): Calculator {
  const warehouses = departures.flatMap(({ id, warehouse, marketplaces: names, rates }) => {
    const served = marketplaces.filter(({ text }) => names.includes(text));
    return rates ? [{ id, text: warehouse, marketplaces: served.map((one) => one.id), rates }] : [];
  });
  return { ...calculator, marketplaces, warehouses };
}
