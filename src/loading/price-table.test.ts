import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import Papa from 'papaparse';
import type { PriceRow } from '../model/content.ts';
import { priceListOn, rowsOn } from '../pricing/price-list.ts';
import { ratesCsv } from '../pricing/rates-csv.ts';
import { encodings, inWindows, type Saving, saved } from '../tests/support/spreadsheet.ts';
import { kinds } from './kinds.ts';
import { parsePriceTable } from './price-table.ts';
import { linesFor } from './problem.ts';

const parse = (bytes: string | Buffer) => parsePriceTable('prices.csv', Buffer.from(bytes), kinds.prices);

function readTable(bytes: string | Buffer): PriceRow[] {
  const { source, problems } = parse(bytes);
  expect(linesFor(problems)).toEqual([]);
  return source?.value as PriceRow[];
}

const texts = { vat: 'С НДС', tax: '', batches: [], materials: '', groups: [{ id: 'all', title: 'Всё', lead: [] }] };
const titles = [
  ...['id', 'id группы', 'Услуга', 'Единица', 'От', 'Цена, ₽', 'Следующая единица', 'Цена следующей, ₽'],
  ...['Минимум, ₽', 'Плотность от, кг/м³', 'Примечание', 'Действует с'],
];
const bag = ['bag', 'all', 'Пакет', 'шт.', '1', '13,00', 'литр', '0,80', '', '', '', '2026-11-01'];
const bags = ['bag', 'all', 'Пакет', 'шт.', '500', '11,50', 'литр', '0,80', '', '', '', '2026-11-01'];
const load = ['load', 'all', 'Авто', 'кг', '1', '235', '', '', '15 000', '400', 'Без вложений', '2026-11-01'];
const sample = [titles, bag, bags, load];
const csv = (cells: readonly (readonly string[])[]) =>
  Papa.unparse(
    cells.map((row) => [...row]),
    { delimiter: ';' },
  );

const saving: fc.Arbitrary<Saving> = fc.record({
  encoding: fc.constantFrom(...(Object.keys(encodings) as Saving['encoding'][])),
  delimiter: fc.constantFrom(';', ',', '\t'),
  newline: fc.constantFrom('\n', '\r\n'),
  named: fc.boolean(),
  formatted: fc.boolean(),
});

const words = fc
  .array(
    fc.constantFrom('Пакет', '60×40×40 см', 'кг/м³', '№ 5', '"М"', 'a;b', 'в,г', '\t', '-', '=1+1', '1 000', '…'),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((all) => `я ${all.join(' ')}`);
const money = fc.integer({ min: 0, max: 10 ** 8 }).map((kopecks) => (kopecks / 100).toFixed(2).replace('.', ','));
const service = fc
  .record({
    text: fc.oneof(words, fc.constant('=HYPERLINK("x")')),
    unit: words,
    note: fc.option(words, { nil: '' }),
    next: fc.option(fc.tuple(words, money), { nil: ['', ''] }),
    minimum: fc.option(money, { nil: '' }),
    density: fc.option(fc.nat(1000).map(String), { nil: '' }),
    tiers: fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 10 ** 6 }), money), {
      selector: ([from]) => from,
      minLength: 1,
      maxLength: 4,
    }),
    since: fc.constantFrom('2026-11-01', '2027-02-28'),
  })
  .map(({ text, unit, note, next: [nextUnit, nextPrice], minimum, density, tiers, since }) =>
    tiers.map(([from, price]) => [
      ...['all', text, density === '' ? unit : 'м³', String(from), price, nextUnit, nextPrice],
      ...[minimum, density, note, since],
    ]),
  );

test('any table that the site writes is read back the same, however a spreadsheet saves it', () => {
  fc.assert(
    fc.property(fc.array(service, { minLength: 1, maxLength: 5 }), saving, (services, saving) => {
      const table = readTable(
        csv([titles, ...services.flatMap((rows, id) => rows.map((row) => [`id-${id}`, ...row]))]),
      );
      const texts = {
        vat: 'С НДС',
        tax: '',
        batches: [],
        materials: '',
        groups: [{ id: 'all', title: 'Всё', lead: [] }],
      };
      const rates = priceListOn(texts, table, '2027-02-28');
      const { data } = Papa.parse<string[]>(ratesCsv(rates, table).slice(1).trimEnd(), { delimiter: ';' });
      const again = readTable(saved(data, saving));
      const plain = (rows: readonly PriceRow[]) =>
        rowsOn(rows, rates.effective).map((tiers) => tiers.map(({ row: _, title: __, vat: ___, ...cells }) => cells));
      expect(plain(again)).toEqual(plain(table));
    }),
  );
});

test('the price list for visitors opens in Russian Excel, has a row for each tier, and escapes formulas', () => {
  const formula = ['sum', 'all', '=HYPERLINK("x")', '-1', '1', '0', '', '', '', '', '', '2027-01-01'];
  const table = readTable(csv([titles, load, bags, bag, formula]));
  const written = ratesCsv(priceListOn(texts, table, '2027-01-01'), table).split('\r\n');
  expect(written).toEqual([
    '\ufeffid;Группа;Услуга;Единица;От;Цена, ₽;Следующая единица;Цена следующей, ₽;Минимум, ₽;НДС;Действует с;' +
      'id группы;Плотность от, кг/м³;Примечание',
    'load;Всё;Авто;кг;1;235,00;;;15000,00;С НДС;2026-11-01;all;400;Без вложений',
    'bag;Всё;Пакет;шт.;1;13,00;литр;0,80;;С НДС;2026-11-01;all;;',
    'bag;Всё;Пакет;шт.;500;11,50;литр;0,80;;С НДС;2026-11-01;all;;',
    `sum;Всё;"'=HYPERLINK(""x"")";"'-1";1;0,00;;;;С НДС;2027-01-01;all;;`,
    '',
  ]);
});

describe('an error has the row as the spreadsheet counts it, the column and a remedy', () => {
  const at = (row: number, title: string, cell: string) => {
    const index = titles.indexOf(title);
    return csv(sample.map((cells, n) => (n === row - 1 ? cells.with(index, cell) : cells)));
  };
  const blank = titles.map(() => '');
  test.each<[name: string, table: string | Buffer, said: string]>([
    ['a word for a price', at(3, 'Цена, ₽', 'дорого'), '3: Цена, ₽: «дорого» не подходит. Нужно число рублей'],
    ['three decimals', at(3, 'Цена, ₽', '12,500'), '3: Цена, ₽: «12,500» не подходит. Нужно число рублей'],
    ['no whole number of units', at(3, 'От', '30+'), '3: От: «30+» не подходит. Нужно целое число единиц'],
    [
      'a day that does not exist',
      at(4, 'Действует с', '31.02.2027'),
      '4: Действует с: «2027-02-31» не подходит. Нужна',
    ],
    ['an id in capitals', at(4, 'id', 'Load'), '4: id: «Load» не подходит. Нужны строчные'],
    ['an empty cell', at(4, 'Услуга', ' '), '4: Услуга: Здесь ничего нет. Впишите значение'],
    [
      'two texts of a service',
      at(3, 'Услуга', 'Мешок'),
      '3: Услуга: Здесь не то, что в строке 2 той же услуги. Впишите',
    ],
    ['a tier twice', at(3, 'От', '1'), '3: От: Эта ступень уже есть в строке 2. Оставьте одну'],
    ['a price that is missing', at(3, 'Цена, ₽', ''), '3: Цена, ₽: Здесь пусто, а на других строках'],
    ['half of a next unit', at(4, 'Следующая единица', 'литр'), '4: Следующая единица: Впишите и следующую единицу, и'],
    ['a density in boxes', at(4, 'Единица', 'короб'), '4: Единица: Цена по плотности берётся за кг или м³. Впишите'],
    ['a cell without a title', csv([titles, [...bag, 'моё']]), '2: Над ячейкой «моё» нет названия столбца. Сотрите её'],
    ['a typo in a title', at(1, 'Примечание', 'Примечания'), '1: Столбца «Примечания» здесь не бывает. Наверное, это'],
    ['an unknown title', at(1, 'Примечание', 'Маржа'), '1: Столбца «Маржа» здесь не бывает. Сотрите его'],
    ['a title twice', at(1, 'Примечание', 'Услуга'), '1: Услуга: Этот столбец стоит дважды. Оставьте один'],
    ['a title that is missing', at(1, 'Единица', ''), '1: Единица: Этого столбца не хватает. Добавьте его'],
    ['no price', csv([titles, blank]), '1: В таблице нет ни одной цены. Впишите их'],
    ['another table', 'Пакеты, короба\nи прочее', '1: В первой строке нет названий столбцов. Скачайте'],
    ['an empty file', '', '1: В первой строке нет названий столбцов. Скачайте'],
    ['an open quotation mark', `${csv(sample)}\r\n"bag;`, '5: Кавычка открыта и не закрыта. Закройте её'],
    ['rows below blank ones', csv([titles, blank, blank, bag.with(5, 'x')]), '4: Цена, ₽: «x» не подходит'],
    ['a line that names the separator', `sep=;\r\n${at(2, 'От', 'x')}`, '2: От: «x» не подходит'],
    [
      'a merge conflict',
      csv(sample).replace('load', '<<<<<<< a\nload\n=======\n>>>>>>> b\nload'),
      '4: Здесь две версии',
    ],
    ['a workbook', 'PK\x03\x04[Content_Types].xml', '1: Это книга Excel, а не CSV. Сохраните таблицу заново'],
    ['another encoding', Buffer.from(inWindows(csv(sample)).map((byte) => byte ^ 0x20)), '1: Кодировку не узнать'],
    [
      'a character that is lost',
      inWindows(at(4, 'Услуга', 'Авто → РФ')),
      '4: Услуга: Вместо одного из знаков стоит «?»',
    ],
    [
      'more days than the site makes lists for',
      csv([
        titles,
        ...Array.from({ length: 101 }, (_, n) => bag.with(11, new Date(n * 864e5).toISOString().slice(0, 10))),
      ]),
      '102: Действует с: Здесь больше 100 разных дней. Впишите общий день',
    ],
    ['three megabytes', Buffer.alloc(3e6, 'я'), '1: Таблица больше 2 МБ. Сотрите'],
  ])('%s', (_, table, said) => {
    const lines = linesFor(parse(table).problems);
    expect([lines.length, lines[0]]).toEqual([1, expect.stringContaining(`prices.csv:${said}`)]);
  });
});
