import Papa from 'papaparse';
import type { Rates } from '../../model/content.ts';

const columns = [
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

export const ratesCsvPath = '/rates.csv';
export const nextRatesCsvPath = '/rates-next.csv';

/** For Excel with Russian settings: UTF-8 with BOM, semicolons, decimal commas, and no cell that runs as a formula. */
export function ratesCsv({ groups, vat, effective }: Rates): string {
  const rows = groups.flatMap((group) =>
    group.rows.flatMap(({ id, text, unit, tiers, next, minimum }) =>
      tiers.map(({ from, price }) => [
        id,
        group.title,
        text,
        unit,
        String(from),
        roubles(price),
        next?.unit ?? '',
        next ? roubles(next.price) : '',
        minimum === undefined ? '' : roubles(minimum),
        vat,
        effective,
      ]),
    ),
  );
  const plain = rows.map((row) => row.map((cell) => cell.replaceAll('\u00A0', ' ')));
  return `\ufeff${Papa.unparse([[...columns], ...plain], { delimiter: ';', newline: '\r\n', escapeFormulae: true })}\r\n`;
}

export function ratesCsvDisposition({ effective }: Rates): string {
  return `attachment; filename="tarify-${effective}.csv"`;
}

/** `420` -> `4,20` */
function roubles(kopecks: number): string {
  const digits = String(kopecks).padStart(3, '0');
  return `${digits.slice(0, -2)},${digits.slice(-2)}`;
}
