import * as z from 'zod';
import { reference } from './field-marks.ts';
import { date, slug, text } from './shared-fields.ts';

const priceRemedy = 'Нужно число рублей, после запятой не больше двух цифр: 12,50';

/** `1 200,50 ₽` -> 120050. Windows-1251 has no ₽, so Excel writes a question mark. */
const roubles = z
  .string()
  .regex(/^\d[\d ]{0,11}(?:[.,]\d{1,2})? ?(?:₽|\?|р\.|руб\.?)?$/i, priceRemedy)
  .transform((written) => {
    const [whole = '', part = ''] = written.replace(/[^\d.,]|\.$/g, '').split(/[.,]/);
    return Number(whole + part.padEnd(2, '0'));
  });

/** A spreadsheet may write `1 000` or `1000,00`. */
const count = (pattern: RegExp, remedy: string) =>
  z
    .string()
    .regex(pattern, remedy)
    .transform((written) => Number(written.replace(/[.,].*| /g, '')));

/** Excel writes `1.01.2027` for `2027-01-01`. */
const day = z
  .string()
  .transform((written) =>
    written.replace(/^(\d{1,2})\.(\d{1,2})\.(\d{4})$/, (_, d, month, year) =>
      [year, month.padStart(2, '0'), d.padStart(2, '0')].join('-'),
    ),
  )
  .pipe(date);

const priceRow = z.strictObject({
  /** Spreadsheets count from 1, with the row of titles. */
  row: z.int(),
  id: slug.describe('id. Латиницей; по нему строку называют калькулятор, рейсы и главные цены'),
  title: text.describe('Группа. Её название из rates.yaml').optional(),
  text: text.describe('Услуга. За что платят'),
  unit: text.describe('Единица. За что берётся цена: короб'),
  from: count(/^[1-9][\d ]{0,11}(?:[.,]0+)?$/, 'Нужно целое число единиц, от 1').describe(
    'От. Число единиц, с которого действует цена; она действует на все сразу',
  ),
  price: roubles.describe('Цена, ₽. Пусто, если с этого дня услуги нет').optional(),
  nextUnit: text.describe('Следующая единица. Если первая стоит дороже остальных: литр').optional(),
  nextPrice: roubles.describe('Цена следующей, ₽. За каждую следующую единицу').optional(),
  minimum: roubles.describe('Минимум, ₽. Наименьшая сумма').optional(),
  vat: text.describe('НДС. Слова о нём из rates.yaml').optional(),
  since: day.describe('Действует с. День, с которого цена действует, например 2026-11-20 или 20.11.2026'),
  group: reference(slug, 'rates').describe('id группы. Из rates.yaml'),
  density: count(/^\d[\d ]{0,7}(?:[.,]0+)?$/, 'Нужно целое число килограммов в кубометре')
    .describe('Плотность от, кг/м³. Для груза, цена которого зависит от неё: строку найдёт форма на странице карго')
    .optional(),
  note: text.describe('Примечание. Под названием услуги').optional(),
});

export type PriceRow = z.output<typeof priceRow>;

/** The titles in the first row of the table, in the order in which the site writes the columns. */
export const priceColumns = Object.entries(priceRow.shape).flatMap(([name, field]) => {
  const isRequired = !(field instanceof z.ZodOptional);
  const { description = '' }: { description?: string } = field instanceof z.ZodOptional ? field.unwrap() : field;
  const [title = ''] = description.split('. ');
  return title === '' ? [] : { name: name as keyof PriceRow, title, isRequired };
});

export const cubicMetre = 'м³';
const densityUnits = ['кг', cubicMetre];

/** The site makes a list for each day. A spreadsheet that fills a column with a series gives each row a day of its own. */
const maxDays = 100;

/**
 * `prices.csv`: each row is a tier, the price of one unit in an order of at least `from` of them.
 *
 * The rows of one `id` and one day belong together. On a day, those of the latest day that is not later are in force, so a
 * change of prices adds all tiers of a service with its day. A single row without a price ends the service on that day.
 * Services stand in the order in which the table first names them. The site writes `title` and `vat` for readers.
 */
export const pricesSchema = z.array(priceRow).superRefine((rows, context) => {
  const indexes = new Map(rows.map((row, index) => [row, index]));
  const [firstBeyond] = [...Map.groupBy(rows, ({ since }) => since).values()][maxDays] ?? [];
  if (firstBeyond) {
    const message = `Здесь больше ${maxDays} разных дней. Впишите общий день для цен, которые меняются вместе, и сотрите прежние`;
    context.addIssue({ code: 'custom', path: [indexes.get(firstBeyond) ?? 0, 'since'], message });
  }
  for (const tiers of tiersByDay(rows)) {
    for (const { row, name, message } of slipsIn(tiers))
      context.addIssue({ code: 'custom', path: [indexes.get(row) ?? 0, name], message });
  }
});

/** The rows of each service and day. */
export function tiersByDay(rows: readonly PriceRow[]): Iterable<PriceRow[]> {
  return Map.groupBy(rows, ({ id, since }) => `${id} ${since}`).values();
}

type Slip = { row: PriceRow; name: keyof PriceRow; message: string };

const ofService = ['text', 'unit', 'nextUnit', 'nextPrice', 'minimum', 'group', 'density', 'note'] as const;

/** @param tiers of one service and day */
function* slipsIn(tiers: readonly PriceRow[]): Iterable<Slip> {
  const [first, ...others] = tiers;
  if (first === undefined) return;
  if ((first.nextUnit === undefined) !== (first.nextPrice === undefined))
    yield { row: first, name: 'nextUnit', message: 'Впишите и следующую единицу, и её цену или сотрите обе' };
  if (first.density !== undefined && !densityUnits.includes(first.unit))
    yield { row: first, name: 'unit', message: 'Цена по плотности берётся за кг или м³. Впишите одно из двух' };
  for (const row of others) {
    const name = ofService.find((one) => row[one] !== first[one]);
    const message = `Здесь не то, что в строке ${first.row} той же услуги. Впишите одно и то же`;
    if (name) return yield { row, name, message };
    const same = tiers.find(({ from }) => from === row.from) ?? row;
    if (same !== row) yield { row, name: 'from', message: `Эта ступень уже есть в строке ${same.row}. Оставьте одну` };
  }
  const ended = tiers.find(({ price }) => price === undefined);
  const message = 'Здесь пусто, а на других строках этой услуги и дня цена есть. Впишите её или сотрите строку';
  if (ended && others.length > 0) yield { row: ended, name: 'price', message };
}
