import Papa from 'papaparse';
import type { Rates } from '../model/content.ts';

export const priceColumns = [
  'id',
  'Группа',
  'Услуга',
  'Единица',
  'От',
  'Цена, ₽',
  'Следующая единица',
  'Цена следующей, ₽',
  'Минимум, ₽',
  'НДС',
  'Действует с',
] as const;

export type PriceColumn = (typeof priceColumns)[number];

/** A tier of a row. Cells that do not apply are empty. */
export type PriceLine = Readonly<Record<PriceColumn, string>>;

export const ratesCsvPath = '/rates.csv';
export const nextRatesCsvPath = '/rates-next.csv';

/** For Excel with Russian settings: UTF-8 with BOM, semicolons, decimal commas, and no cell that runs as a formula. */
export function ratesCsv(rates: Rates): string {
  const table = {
    fields: [...priceColumns],
    data: priceLines(rates).map((line) => priceColumns.map((name) => line[name])),
  };
  return `\ufeff${Papa.unparse(table, { delimiter: ';', newline: '\r\n', escapeFormulae: true })}\r\n`;
}

export function ratesCsvDisposition({ effective }: Rates): string {
  return `attachment; filename="tarify-${effective}.csv"`;
}

export function priceLines({ groups, vat, effective }: Rates): PriceLine[] {
  return groups.flatMap((group) =>
    group.rows.flatMap(({ id, text, unit, tiers, next, minimum }) =>
      tiers.map(({ from, price }) => ({
        id,
        Группа: plainCell(group.title),
        Услуга: plainCell(text),
        Единица: plainCell(unit),
        От: String(from),
        'Цена, ₽': roubles(price),
        'Следующая единица': plainCell(next?.unit ?? ''),
        'Цена следующей, ₽': next ? roubles(next.price) : '',
        'Минимум, ₽': minimum === undefined ? '' : roubles(minimum),
        НДС: plainCell(vat),
        'Действует с': effective,
      })),
    ),
  );
}

export function plainCell(text: string): string {
  return text.replaceAll('\u00A0', ' ');
}

/** `420` -> `4,20` */
export function roubles(kopecks: number): string {
  const digits = String(kopecks).padStart(3, '0');
  return `${digits.slice(0, -2)},${digits.slice(-2)}`;
}
