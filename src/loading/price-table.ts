import Papa from 'papaparse';
import { tidyLine } from '../lib/tidy.ts';
import { type PriceRow, priceColumns } from '../model/schemas/prices-schema.ts';
import { cellsOf } from '../pricing/rates-csv.ts';
import type { Kind } from './kinds.ts';
import { readMarkdown } from './markdown.ts';
import { nearestName } from './nearest-name.ts';
import { guillemets } from './problem.ts';
import { schemaOf } from './schema-parts.ts';
import { conflictIn, type Parsed } from './source.ts';
import { valueProblems } from './value-problems.ts';
import type { Path } from './yaml.ts';

type Slip = { row?: number; title?: string; message: string };

/** Lines of the source are rows as the spreadsheet counts them, and fields are titles of columns. */
export function parsePriceTable(file: string, bytes: Buffer, kind: Kind): Parsed {
  const failed = (slips: Iterable<Slip>): Parsed => ({
    problems: [...slips].map(({ row = 1, title = '', message }) => ({ file, line: row, field: title, message })),
  });
  const read = tableText(bytes);
  if ('message' in read) return failed([read]);
  const conflict = conflictIn(read.text);
  if (conflict) return failed([{ row: conflict.line, message: conflict.message }]);
  const { rows, unclosed } = cellsIn(read.text);
  if (unclosed !== undefined)
    return failed([{ row: unclosed + 1, message: 'Кавычка открыта и не закрыта. Закройте её.' }]);
  const [titles = [], ...records] = rows;
  const filled = records.flatMap((cells, index) =>
    cells.some((cell) => cell !== '') ? { row: index + 2, cells } : [],
  );
  const slips = [...slipsOfTitles(titles, read.isWindows)];
  if (slips.length === 0) slips.push(...slipsOfCells(titles, filled, read.isWindows));
  if (slips.length > 0) return failed(slips);

  const columns = titles.map(columnOf);
  const value = filled.map(({ row, cells }) => {
    const fields = columns.flatMap((column, index) =>
      column ? [[column.name, cells[index] || (column.isRequired ? null : undefined)]] : [],
    );
    return { row, ...Object.fromEntries(fields) };
  });
  const lineOf = ([index]: Path) => value[Number(index)]?.row ?? 1;
  const fieldOf = ([, name]: Path) => priceColumns.find((column) => column.name === name)?.title ?? '';
  const schema = schemaOf(kind);
  const { data, error } = kind.schema.safeParse(value, { reportInput: true });
  if (error) return { problems: valueProblems(file, { value, lineOf, fieldOf }, schema, error.issues) };
  const prices = data as PriceRow[];
  const source = { file, slug: 'prices', value: prices, schema, text: textOf(prices), bodyLine: 1 };
  return {
    source: { ...source, body: noText, textIn: noText, lineOf, fieldOf, written: () => prices },
    problems: [],
  };
}

const noText = () => readMarkdown('');

const maxBytes = 2 * 1024 * 1024;
const asCsv = 'Сохраните таблицу заново: «Файл», «Сохранить как», «CSV UTF-8».';

const unknownEncoding = `Кодировку не узнать: это не UTF-8, не UTF-16 и не Windows-1251. ${asCsv}`;
const lostCharacter = `Вместо одного из знаков стоит «?»: в Windows-1251 такого знака нет. ${asCsv}`;

/** @returns an error in Russian if the file is no text. `isWindows` is a guess, because every byte is a letter there. */
function tableText(bytes: Buffer): { text: string; isWindows: boolean } | { message: string } {
  const start = bytes.toString('latin1', 0, 4);
  if (start === 'PK\x03\x04' || start === '\xd0\xcf\x11\xe0') return { message: `Это книга Excel, а не CSV. ${asCsv}` };
  if (bytes.length > maxBytes) return { message: 'Таблица больше 2 МБ. Сотрите цены прежних лет.' };
  const encoding = start.startsWith('\xff\xfe') ? 'utf-16le' : start.startsWith('\xfe\xff') ? 'utf-16be' : 'utf-8';
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), isWindows: false };
  } catch {
    // Russian Excel saves CSV in Windows-1251 unless it is asked for UTF-8.
    return { text: new TextDecoder('windows-1251').decode(bytes), isWindows: true };
  }
}

/** Takes the separator that gives most titles. `unclosed` is the index of the row whose quotation mark is not closed. */
function cellsIn(text: string): { rows: string[][]; unclosed?: number } {
  // Spreadsheets do not show the line that names the separator.
  const plain = text.replace(/^sep=.\r?\n/i, '').replace(/\r\n?/g, '\n');
  const tables = [';', ',', '\t'].map((delimiter) => {
    const { data, errors } = Papa.parse<string[]>(plain, { delimiter, newline: '\n' });
    const rows = data.map((row) => row.map(cleaned));
    return { rows, unclosed: errors[0]?.row, titles: rows[0]?.filter(columnOf).length ?? 0 };
  });
  return tables.reduce((best, one) => (one.titles > best.titles ? one : best));
}

/** Removes the apostrophe that disarms formulas, and restores the signs that Windows-1251 lacks: × and ³. */
function cleaned(cell: string): string {
  return tidyLine(cell)
    .replace(/^'(?=[=+\-@])/, '')
    .replace(/(?<=\d)[xх](?=\d)/g, '×')
    .replace(/(?<!\p{L})м3(?!\d)/gu, 'м³');
}

/** Titles are compared without their unit: Windows-1251 has no ₽, so Excel writes a question mark. */
function columnOf(title: string) {
  const bare = (name: string) => name.replace(/,.*/, '').toLowerCase();
  return priceColumns.find((column) => bare(column.title) === bare(title));
}

const knownTitles = priceColumns.map(({ title }) => title);
const noTitles = 'В первой строке нет названий столбцов. Скачайте прайс-лист со страницы /rates и правьте его.';

function* slipsOfTitles(titles: readonly string[], isWindows: boolean): Iterable<Slip> {
  const columns = titles.map(columnOf);
  const unknown = titles.filter((title, index) => title !== '' && !columns[index]);
  if (unknown.length >= columns.filter((column) => column).length)
    return yield { message: isWindows ? unknownEncoding : noTitles };
  for (const title of unknown) {
    const near = nearestName(title, knownTitles);
    const remedy = near ? `Наверное, это ${guillemets(near)}.` : 'Сотрите его.';
    yield { message: `Столбца ${guillemets(title)} здесь не бывает. ${remedy}` };
  }
  for (const column of priceColumns) {
    const { length } = columns.filter((one) => one === column);
    if (length > 1) yield { title: column.title, message: 'Этот столбец стоит дважды. Оставьте один.' };
    if (length === 0 && column.isRequired)
      yield { title: column.title, message: 'Этого столбца не хватает. Добавьте его.' };
  }
}

type Cells = { row: number; cells: readonly string[] };

function* slipsOfCells(titles: readonly string[], rows: readonly Cells[], isWindows: boolean): Iterable<Slip> {
  if (rows.length === 0) yield { message: 'В таблице нет ни одной цены. Впишите их под названиями столбцов.' };
  for (const { row, cells } of rows) {
    for (const [index, cell] of cells.entries()) {
      const title = titles[index] ?? '';
      if (title === '' && cell !== '')
        yield { row, message: `Над ячейкой ${guillemets(cell)} нет названия столбца. Сотрите её.` };
      if (isWindows && /\p{L}.*\?|\?.*\p{L}/u.test(cell)) yield { row, title, message: lostCharacter };
    }
  }
}

/** The lines are those of the spreadsheet, in one spelling, so that other checks find their row. */
function textOf(prices: readonly PriceRow[]): string {
  const lines: string[] = [];
  for (const price of prices) lines[price.row - 1] = cellsOf({ ...price, title: undefined, vat: undefined }).join(';');
  return Array.from(lines, (line = '') => line).join('\n');
}
