import Papa from 'papaparse';
import { date, slugPattern } from '../model/schemas/shared-fields.ts';
import { typeset } from '../model/typography.ts';
import { type PriceColumn, type PriceLine, plainCell, priceColumns, roubles } from '../pricing/rates-csv.ts';
import { guillemets, type Problem } from './problem.ts';

/** `row` counts from 1, as spreadsheets do. */
export type ReadLine = { line: PriceLine; row: number };

type Reading = { lines: readonly ReadLine[]; problems: readonly Problem[] };

type Table = { cells: readonly (readonly string[])[]; spelling: Spelling };

/**
 * Accepts what spreadsheets make of the exported table: other separators, encodings, and spellings of numbers and days.
 *
 * @param before the lines of the present list
 */
export function readPricesCsv(file: string, bytes: Uint8Array, before: readonly PriceLine[]): Reading {
  const { cells, spelling } = tableIn(bytes);
  const [titles = [], ...records] = cells;
  const names = titles.map(columnNamed);
  const wrong = (row: number, field: string, message: string): Problem => ({ file, line: row, field, message });

  const unknown = titles.filter((title, index) => title.trim() !== '' && names[index] === undefined);
  const absent = priceColumns.filter((name) => !names.includes(name));
  const twice = names.filter((name, index) => name !== undefined && names.indexOf(name) !== index);
  const ofTitles = [
    ...unknown.map((title) => wrong(1, '', `Столбца ${guillemets(title)} в прайс-листе не бывает. Сотрите его.`)),
    ...absent.map((name) => wrong(1, name, 'Этого столбца не хватает. Скачайте прайс-лист и правьте его.')),
    ...twice.map((name = 'id') => wrong(1, name, 'Этот столбец стоит дважды. Оставьте один.')),
  ];
  if (ofTitles.length > 0) return { lines: [], problems: ofTitles };

  const known = new Map(before.map((line) => [line.id, line]));
  const read = records.flatMap((record, index) => {
    if (record.every((cell) => cell.trim() === '')) return [];
    const written = (name: PriceColumn) => record[names.indexOf(name)] ?? '';
    const present = known.get(written('id').trim());
    const checked = priceColumns.map((name) => [name, cellOf(name, spelling(written(name), present?.[name]))] as const);
    const row = index + 2;
    const line = Object.fromEntries(checked.map(([name, { cell }]) => [name, cell ?? ''])) as PriceLine;
    const ofCells = checked.flatMap(([name, { problem }]) => (problem === undefined ? [] : wrong(row, name, problem)));
    const isHalf = (line['Следующая единица'] === '') !== (line['Цена следующей, ₽'] === '');
    const half = 'Впишите и следующую единицу, и её цену или сотрите обе.';
    const problems = ofCells.length === 0 && isHalf ? [wrong(row, 'Следующая единица', half)] : ofCells;
    return [{ row, line, problems }];
  });
  if (read.length === 0) return { lines: [], problems: [wrong(1, '', 'В таблице нет ни одной строки с ценами.')] };
  const problems = read.flatMap((one) => one.problems);
  return { lines: read, problems: problems.length > 0 ? problems : [...disagreements(file, read)] };
}

/** Cells that must be alike, and tiers that must differ. */
function* disagreements(file: string, lines: readonly ReadLine[]): Iterable<Problem> {
  const firsts = new Map<string, ReadLine>();
  const tiers = new Map<string, number>();
  for (const one of lines) {
    const { line, row } = one;
    const tier = `${line.id} ${line.От}`;
    const taken = tiers.get(tier);
    if (taken !== undefined) {
      const message = `Ступень от ${line.От} у ${guillemets(line.id)} уже есть в строке ${taken}. Оставьте одну.`;
      yield { file, line: row, field: 'От', message };
    }
    tiers.set(tier, taken ?? row);
    const own = firsts.get(line.id) ?? one;
    firsts.set(line.id, own);
    for (const name of priceColumns) {
      if (name === 'От' || name === 'Цена, ₽') continue;
      const first = ofList.includes(name) ? (lines[0] ?? one) : own;
      if (line[name] === first.line[name]) continue;
      const message = `${guillemets(line[name])} здесь и ${guillemets(first.line[name])} в строке ${first.row}. Впишите одно и то же.`;
      yield { file, line: row, field: name, message };
    }
  }
}

const ofList: readonly PriceColumn[] = ['НДС', 'Действует с'];

/** How a cell was meant that an encoding may have damaged, given the present one. */
type Spelling = (cell: string, present?: string) => string;

const byteOrderMark = '\ufeff';

function tableIn(bytes: Uint8Array): Table {
  const { text, spelling } = textIn(bytes);
  const tables = [';', ',', '\t'].map(
    (delimiter) => Papa.parse<string[]>(text.replace(byteOrderMark, ''), { delimiter }).data,
  );
  const fitting = ([titles = []]: string[][]) => titles.filter((title) => columnNamed(title) !== undefined).length;
  const cells = tables.reduce((best, one) => (fitting(one) > fitting(best) ? one : best));
  return { cells, spelling };
}

/** Russian Excel saves CSV in Windows-1251 unless it is asked for UTF-8. */
function textIn(bytes: Uint8Array): { text: string; spelling: Spelling } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), spelling: (cell) => cell };
  } catch {
    const decoder = new TextDecoder('windows-1251');
    const letters = new Set(decoder.decode(Uint8Array.from({ length: 256 }, (_, byte) => byte)));
    // It has neither × nor ³, and Excel writes another character for each.
    const spelling: Spelling = (cell, present = '') => {
      const isSame =
        cell.length === present.length &&
        [...present].every((letter, index) => letter === cell[index] || !letters.has(letter));
      return isSame ? present : cell;
    };
    return { text: decoder.decode(bytes), spelling };
  }
}

/** Windows-1251 has no ₽, so Excel writes a question mark. */
function columnNamed(title: string): PriceColumn | undefined {
  const bare = (name: string) => name.replace(/,.*/, '').trim().toLowerCase();
  return priceColumns.find((name) => bare(name) === bare(title));
}

type Cell = { cell: string; problem?: undefined } | { cell?: undefined; problem: string };

function cellOf(name: PriceColumn, written: string): Cell {
  const text = textOfCell(written);
  const wrong = (remedy: string): Cell => {
    return { problem: text === '' ? `Здесь пусто. ${remedy}` : `${guillemets(text)} не подходит. ${remedy}` };
  };
  switch (name) {
    case 'id':
      return slugPattern.test(text)
        ? { cell: text }
        : wrong('Нужен id строки из строчных латинских букв, цифр и дефисов.');
    case 'От': {
      const digits = text.replace(/\s/g, '');
      return /^[1-9]\d{0,8}$/.test(digits) ? { cell: digits } : wrong('Нужно целое число единиц, от 1.');
    }
    case 'Цена, ₽':
      return priceOf(text) ?? wrong(priceRemedy);
    case 'Цена следующей, ₽':
    case 'Минимум, ₽':
      return text === '' ? { cell: '' } : (priceOf(text) ?? wrong(priceRemedy));
    case 'Действует с': {
      const day = text.replace(/^(\d\d)\.(\d\d)\.(\d{4})$/, '$3-$2-$1');
      return date.safeParse(day).success ? { cell: day } : wrong('Нужна дата, например 2026-11-20 или 20.11.2026.');
    }
    case 'Следующая единица':
      return { cell: text };
    default:
      return text === '' ? wrong('Впишите слова.') : { cell: text };
  }
}

const priceRemedy = 'Нужно число рублей, после запятой не больше двух цифр: 12,50.';

function priceOf(text: string): Cell | undefined {
  const [, whole, part = ''] = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(text.replace(/\s|(?:₽|\?|р\.)$/g, '')) ?? [];
  return whole === undefined ? undefined : { cell: roubles(Number(whole + part.padEnd(2, '0'))) };
}

/** As the site prints it, without the apostrophe that disarms formulas. */
export function textOfCell(written: string): string {
  const bare = written.trim().replace(/^'(?=[=+\-@])/, '');
  return plainCell(typeset(bare.replace(/\s+/g, ' ').trim()));
}
