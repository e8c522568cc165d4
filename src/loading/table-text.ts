import Papa from 'papaparse';
import { tidyLine } from '../lib/tidy.ts';

const maxBytes = 2 * 1024 * 1024;
const asCsv = 'Сохраните таблицу заново: «Файл», «Сохранить как», «CSV UTF-8».';

export const unknownEncoding = `Кодировку не узнать: это не UTF-8, не UTF-16 и не Windows-1251. ${asCsv}`;
export const lostCharacter = `Вместо одного из знаков стоит «?»: в Windows-1251 такого знака нет. ${asCsv}`;

/** @returns `isWindows` if it is in none of the other encodings, or an error in Russian */
export function tableText(bytes: Buffer): { text: string; isWindows: boolean } | { message: string } {
  const start = bytes.toString('latin1', 0, 4);
  if (start === 'PK\x03\x04' || start === '\xd0\xcf\x11\xe0') return { message: `Это книга Excel, а не CSV. ${asCsv}` };
  if (bytes.length > maxBytes) return { message: 'Таблица больше 2 МБ. Сотрите цены прежних лет.' };
  const encodings = /^(?:\xff\xfe|\xfe\xff)/.test(start) ? [start[0] === '\xff' ? 'utf-16le' : 'utf-16be'] : ['utf-8'];
  try {
    return { text: new TextDecoder(encodings[0], { fatal: true }).decode(bytes), isWindows: false };
  } catch {
    // Russian Excel saves CSV in Windows-1251 unless it is asked for UTF-8.
    return { text: new TextDecoder('windows-1251').decode(bytes), isWindows: true };
  }
}

/**
 * Cells as they are meant, whatever the separator.
 *
 * @param isTitle whether the first row may have such a cell
 * @returns also the index of the row whose quotation mark is not closed
 */
export function cellsIn(text: string, isTitle: (cell: string) => boolean): { rows: string[][]; unclosed?: number } {
  // Spreadsheets do not show the line that names the separator.
  const plain = text.replace(/^sep=.\r?\n/i, '').replace(/\r\n?/g, '\n');
  const tables = [';', ',', '\t'].map((delimiter) => {
    const { data, errors } = Papa.parse<string[]>(plain, { delimiter, newline: '\n' });
    const rows = data.map((row) => row.map(cleaned));
    return { rows, unclosed: errors[0]?.row, titles: rows[0]?.filter(isTitle).length ?? 0 };
  });
  return tables.reduce((best, one) => (one.titles > best.titles ? one : best));
}

/** Without the apostrophe that disarms formulas. Windows-1251 has no ³. */
function cleaned(cell: string): string {
  return tidyLine(cell)
    .replace(/^'(?=[=+\-@])/, '')
    .replace(/(?<!\p{L})м3(?!\d)/gu, 'м³');
}
