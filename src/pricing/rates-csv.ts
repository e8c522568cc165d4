import Papa from 'papaparse';
import type { PriceRow, Rates } from '../model/content.ts';
import { priceColumns } from '../model/schemas/prices-schema.ts';
import { rowsOn } from './price-list.ts';

export const ratesCsvPath = '/rates.csv';
export const nextRatesCsvPath = '/rates-next.csv';

/**
 * For Excel with Russian settings: UTF-8 with BOM, semicolons, decimal commas, and no cell that runs as a formula. The site
 * reads it back as `prices.csv`.
 *
 * @param table of all days
 */
export function ratesCsv({ groups, vat, effective }: Rates, table: readonly PriceRow[]): string {
  const rows = rowsOn(table, effective).flat();
  const data = groups.flatMap(({ id, title }) =>
    rows.filter(({ group }) => group === id).map((row) => cellsOf({ ...row, title, vat })),
  );
  const fields = priceColumns.map(({ title }) => title);
  return `\ufeff${Papa.unparse({ fields, data }, { delimiter: ';', newline: '\r\n', escapeFormulae: true })}\r\n`;
}

export function ratesCsvDisposition({ effective }: Rates): string {
  return `attachment; filename="tarify-${effective}.csv"`;
}

/** Cells that do not apply are empty. */
export function cellsOf(row: PriceRow): string[] {
  return priceColumns.map(({ name }) => {
    const value = row[name] ?? '';
    return typeof value === 'number' && inRoubles.has(name) ? roubles(value) : String(value);
  });
}

const inRoubles: ReadonlySet<keyof PriceRow> = new Set(['price', 'nextPrice', 'minimum']);

/** `420` -> `4,20` */
function roubles(kopecks: number): string {
  const digits = String(kopecks).padStart(3, '0');
  return `${digits.slice(0, -2)},${digits.slice(-2)}`;
}
