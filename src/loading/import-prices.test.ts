import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import Papa from 'papaparse';
import { paths } from '../lib/paths.ts';
import type { Rates } from '../model/content.ts';
import { type PriceColumn, type PriceLine, priceColumns, ratesCsv } from '../pricing/rates-csv.ts';
import { readFolder } from './content-files.ts';
import { editYaml } from './edit-yaml.ts';
import { misplacedRows, presentLines, priceChanges } from './import-prices.ts';
import { kinds } from './kinds.ts';
import { linesFor } from './problem.ts';
import { readPricesCsv } from './read-prices-csv.ts';
import { parseFile, type Source } from './source.ts';

const file = 'rates.yaml';

function sourceOf(text: string): Source<Rates> {
  const bytes = Buffer.from(text);
  const { source, problems } = parseFile(file, { hash: '', bytes: () => bytes }, kinds.rates, new Map());
  if (source === undefined) throw new Error(linesFor(problems).join('\n'));
  return source as Source<Rates>;
}

const textIn = (folder: string) => String(readFolder(folder).get(file)?.bytes());
const own = sourceOf(textIn(paths.content));
const other = sourceOf(textIn(join(import.meta.dirname, '../tests/fixtures/second-company')));

/** Small, with every way to write a row. */
const sample = sourceOf(`# Прайс-лист
effective: 2026-11-01 # с этого дня
vat: Без НДС
tax: без НДС
batches: []
materials: Пакеты входят в цену.
groups:
  - id: main
    title: Главное
    lead: [{ rate: bag, text: Пакет }]
    rows:
      # Самая частая
      - id: bag
        text: "Пакет: до 1 литра" # с клапаном
        unit: шт.
        tiers:
          - { from: 1, price: 13 }
          # оптом
          - { from: 500, price: 11.5 }
        next: { unit: литр, price: 0.8 }
        note: >-
          Без
          вложений

      - { id: box, text: 'Короб 60×40×40 см', unit: короб, tiers: [{ from: 1, price: 165 }, { from: 30, price: 150 }] }
      # Последняя
      - id: plus
        text: "+ наценка за срочность" # редко
        unit: заказ
        tiers: [{ from: 1, price: 100 }]
        minimum: 500 # рублей

  # Остальное
  - id: more
    title: Ещё
    lead: [{ rate: hour, text: Час }]
    rows: [{ id: hour, text: Час работы, unit: час, tiers: [{ from: 1, price: 1000 }] }]
`);

type Line = Record<PriceColumn, string>;
type Cells = Partial<Line>;

/**
 * The exported table.
 *
 * @param changes cells of an `id`, of an `id` and tier, or of every line (`*`); `undefined` removes the line
 * @param added lines that are otherwise like the first
 */
function tableOf(
  source: Source<Rates>,
  changes: Readonly<Record<string, Cells | undefined>> = {},
  added: readonly Cells[] = [],
): Line[] {
  const csv = ratesCsv(source.value).replace('\ufeff', '');
  const { data } = Papa.parse<Line>(csv, { header: true, skipEmptyLines: true });
  const keysOf = (line: Line) => ['*', line.id, `${line.id} ${line.От}`].filter((key) => key in changes);
  const kept = data.filter((line) => keysOf(line).every((key) => changes[key] !== undefined));
  const changed = kept.map((line): Line => Object.assign({}, line, ...keysOf(line).map((key) => changes[key])));
  const [first] = changed;
  if (first === undefined) throw new Error('The table has no line.');
  return [...changed, ...added.map((cells) => ({ ...first, ...cells }))];
}

function csvOf(lines: readonly Line[], delimiter = ';'): string {
  return Papa.unparse({ fields: [...priceColumns], data: [...lines] }, { delimiter });
}

function readCsv(source: Source<Rates>, csv: string | Uint8Array) {
  const before = presentLines(source.value);
  const { lines, problems } = readPricesCsv('prices.csv', Buffer.from(csv), before);
  return { lines, problems: linesFor([...problems, ...misplacedRows('prices.csv', before, lines)]) };
}

function imported(source: Source<Rates>, csv: string | Uint8Array) {
  const { lines: read, problems } = readCsv(source, csv);
  expect(problems).toEqual([]);
  const lines = read.map(({ line }) => line);
  const changes = priceChanges(source.value, lines);
  const edits = changes.flatMap((change) => change.edits);
  return { words: changes.map(({ words }) => words), text: editYaml(source.text, edits), lines };
}

/** The lines that only one of the texts has, marked as `diff` does. */
function changedLines(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  return [
    ...old.filter((line) => !now.includes(line)).map((line) => `-${line}`),
    ...now.filter((line) => !old.includes(line)).map((line) => `+${line}`),
  ];
}

describe('the exported table', () => {
  const sources = [
    ['shipped list', own],
    ["second company's list", other],
    ['sample', sample],
  ] as const;

  test.each(sources)('of the %s changes nothing', (_, source) => {
    const { words, text } = imported(source, ratesCsv(source.value));
    expect([words, text]).toEqual([[], source.text]);
  });

  test.each(sources)('changes nothing in any form in which Excel saves the %s', (_, source) => {
    const letters = new TextDecoder('windows-1251').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
    const inWindows = (text: string) =>
      Buffer.from([...text].map((letter) => (letters.includes(letter) ? letters.indexOf(letter) : 63)));
    const grouped = (digits: string) => digits.replace(/(?<=\d)(?=\d{3}\b)/, '\u00A0');
    const excel = tableOf(source).map((line) => ({
      ...line,
      От: grouped(line.От),
      'Цена, ₽': `${grouped(line['Цена, ₽'].replace(/,?0+$/, ''))} ₽`,
      'Действует с': line['Действует с'].replace(/(.*)-(.*)-(.*)/, '$3.$2.$1'),
    }));
    const points = tableOf(source).map((line) => ({ ...line, 'Цена, ₽': line['Цена, ₽'].replace(',', '.') }));
    const blank = ';'.repeat(priceColumns.length - 1);
    for (const csv of [
      ...[';', ',', '\t'].map((delimiter) => csvOf(excel, delimiter)),
      `\ufeff${csvOf(excel)}\r\n${blank}\r\n`,
      inWindows(csvOf(excel)),
      csvOf(points, ','),
      csvOf(excel.toReversed()),
    ]) {
      const { words, text } = imported(source, csv);
      expect([words, text]).toEqual([[], source.text]);
    }
  });
});

describe('a changed table', () => {
  /** Whether the written list says what the table says. */
  function written(source: Source<Rates>, csv: string) {
    const { words, text, lines } = imported(source, csv);
    const made = presentLines(sourceOf(text).value);
    const byTier = (all: readonly PriceLine[]) => new Map(all.map((line) => [`${line.id} ${line.От}`, line]));
    expect(byTier(made)).toEqual(byTier(lines));
    return { words, text, changed: changedLines(source.text, text) };
  }

  test('changes the prices, texts, units, minimums and the date, and leaves comments and all other lines', () => {
    const { words, changed } = written(
      sample,
      csvOf(
        tableOf(sample, {
          '*': { 'Действует с': '2027-01-01', НДС: 'С НДС: 22 %' },
          bag: { Услуга: 'Пакет', 'Цена следующей, ₽': '1,2' },
          'bag 500': { 'Цена, ₽': '12' },
          'box 30': { 'Цена, ₽': '149,9' },
          plus: { Услуга: '-10 % по "карте"', Единица: 'заказ, срочный', 'Минимум, ₽': '700' },
        }),
      ),
    );
    expect(words).toEqual([
      'Действует с: 2026-11-01 → 2027-01-01',
      'НДС: Без НДС → С НДС: 22 %',
      'bag, Услуга: Пакет: до 1 литра → Пакет',
      'bag, Цена следующей, ₽: 0,80 → 1,20',
      'bag от 500: 11,50 → 12,00 ₽',
      'box от 30: 150,00 → 149,90 ₽',
      'plus, Услуга: + наценка за срочность → -10 % по «карте»',
      'plus, Единица: заказ → заказ, срочный',
      'plus, Минимум, ₽: 500,00 → 700,00',
    ]);
    expect(changed.filter((line) => line.startsWith('+'))).toEqual([
      '+effective: 2027-01-01 # с этого дня',
      '+vat: "С НДС: 22 %"',
      '+        text: Пакет # с клапаном',
      '+          - { from: 500, price: 12 }',
      '+        next: { unit: литр, price: 1.2 }',
      "+      - { id: box, text: 'Короб 60×40×40 см', unit: короб, tiers: [{ from: 1, price: 165 }, { from: 30, price: 149.9 }] }",
      '+        text: -10 % по «карте» # редко',
      '+        unit: "заказ, срочный"',
      '+        minimum: 700 # рублей',
    ]);
  });

  test('adds and removes tiers, next units and minimums', () => {
    const { words, changed } = written(
      sample,
      csvOf(
        tableOf(
          sample,
          {
            bag: { 'Следующая единица': '', 'Цена следующей, ₽': '', 'Минимум, ₽': '300' },
            'box 30': undefined,
            box: { 'Минимум, ₽': '900' },
            plus: { 'Следующая единица': 'час', 'Цена следующей, ₽': '50', 'Минимум, ₽': '' },
          },
          [{ id: 'bag', От: '100', 'Цена, ₽': '12', Услуга: 'Пакет: до 1 литра', 'Минимум, ₽': '300' }],
        ).map((line) => (line.id === 'bag' ? { ...line, 'Следующая единица': '', 'Цена следующей, ₽': '' } : line)),
      ),
    );
    expect(words).toEqual([
      'bag, Следующая единица: литр → нет',
      'bag, Цена следующей, ₽: 0,80 → нет',
      'bag, Минимум, ₽: нет → 300,00',
      'bag от 100: нет → 12,00 ₽',
      'box, Минимум, ₽: нет → 900,00',
      'box от 30: 150,00 → нет',
      'plus, Следующая единица: нет → час',
      'plus, Цена следующей, ₽: нет → 50,00',
      'plus, Минимум, ₽: 500,00 → нет',
    ]);
    expect(changed).toEqual([
      '-          # оптом',
      '-        next: { unit: литр, price: 0.8 }',
      "-      - { id: box, text: 'Короб 60×40×40 см', unit: короб, tiers: [{ from: 1, price: 165 }, { from: 30, price: 150 }] }",
      '-        minimum: 500 # рублей',
      '+          - { from: 100, price: 12 }',
      '+        minimum: 300',
      "+      - { id: box, text: 'Короб 60×40×40 см', unit: короб, tiers: [{ from: 1, price: 165 }], minimum: 900 }",
      '+        next: { unit: час, price: 50 }',
    ]);
  });

  test('adds rows where the table has them, before comments on what follows, and removes those that it lacks', () => {
    const row = (id: string, Группа = 'Главное'): Cells => ({
      ...{ id, Группа, Услуга: `Работа ${id}`, Единица: 'шт.', От: '1', 'Цена, ₽': '5' },
      ...{ 'Следующая единица': '', 'Цена следующей, ₽': '', 'Минимум, ₽': '' },
    });
    const added = [row('first'), row('middle'), { ...row('last'), 'Минимум, ₽': '50' }, row('late', 'Ещё')];
    const lines = tableOf(sample, { box: undefined }, added);
    const order = ['first', 'bag', 'middle', 'plus', 'last', 'hour', 'late'];
    const sorted = lines.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
    const { words, text, changed } = written(sample, csvOf(sorted));
    expect(words).toEqual([
      'пропадёт box: Короб 60×40×40 см',
      'новая first: Работа first, от 1 5,00 ₽',
      'новая middle: Работа middle, от 1 5,00 ₽',
      'новая last: Работа last, от 1 5,00 ₽',
      'новая late: Работа late, от 1 5,00 ₽',
    ]);
    expect(sourceOf(text).value.groups.map(({ rows }) => rows.map(({ id }) => id))).toEqual([
      order.slice(0, 5),
      order.slice(5),
    ]);
    expect(changed.filter((line) => line.startsWith('-'))).toHaveLength(2);
    expect(text).toContain(`        minimum: 500 # рублей
      - id: last
        text: Работа last
        unit: шт.
        tiers: [{ from: 1, price: 5 }]
        minimum: 50

  # Остальное
`);
  });

  test('changes every cell of the shipped list', () => {
    const { words } = written(
      own,
      csvOf(
        tableOf(own).map((line) => ({
          ...line,
          Услуга: `${line.Услуга}: новое`,
          Единица: `${line.Единица}, новая`,
          'Цена, ₽': `1${line['Цена, ₽']}`,
          'Минимум, ₽': '100',
          'Действует с': '2030-01-01',
        })),
      ),
    );
    expect(words.length).toBeGreaterThan(2 * own.value.groups.flatMap(({ rows }) => rows).length);
  });
});

test.each<[name: string, lines: Line[] | string, said: string]>([
  ['a number that is not one', tableOf(sample, { 'box 30': { 'Цена, ₽': 'дорого' } }), '5: Цена, ₽: «дорого» не'],
  ['three decimals', tableOf(sample, { 'box 30': { 'Цена, ₽': '12,500' } }), '5: Цена, ₽: «12,500» не подходит'],
  ['a price that is missing', tableOf(sample, { 'box 30': { 'Цена, ₽': '' } }), '5: Цена, ₽: Здесь пусто.'],
  ['a tier that is no number', tableOf(sample, { 'box 30': { От: '30+' } }), '5: От: «30+» не подходит'],
  [
    'a day that does not exist',
    tableOf(sample, { 'bag 500': { 'Действует с': '31.02.2027' } }),
    '3: Действует с: «31.02.2027» не',
  ],
  ['two days', tableOf(sample, { 'bag 500': { 'Действует с': '2027-01-01' } }), '3: Действует с: «2027-01-01» здесь и'],
  [
    'two texts of a row',
    tableOf(sample, { 'bag 500': { Услуга: 'Мешок' } }),
    '3: Услуга: «Мешок» здесь и «Пакет: до 1',
  ],
  [
    'a unit without its price',
    tableOf(sample, { plus: { 'Следующая единица': 'час' } }),
    '6: Следующая единица: Впишите',
  ],
  ['a duplicate tier', tableOf(sample, { 'box 30': { От: '1' } }), '5: От: Ступень от 1 у «box» уже есть в строке 4.'],
  ['an id that is missing', tableOf(sample, { 'box 30': { id: '' } }), '5: id: Здесь пусто. Нужен id'],
  ['an id in capitals', tableOf(sample, { plus: { id: 'Plus' } }), '6: id: «Plus» не подходит'],
  [
    'an unknown group',
    tableOf(sample, { plus: { id: 'new', Группа: 'Прочее' } }),
    '6: Группа: «Прочее» не подходит. Т',
  ],
  [
    'another group',
    tableOf(sample, { plus: { Группа: 'Ещё' } }),
    '6: Группа: «Ещё» не подходит. Эта строка из группы «Г',
  ],
  ['an unknown column', csvOf(tableOf(sample)).replace('Единица', 'Мера'), '1: Столбца «Мера» в прайс-листе не бывает'],
  ['a missing column', csvOf(tableOf(sample)).replace('Единица', 'Мера'), '1: Единица: Этого столбца не хватает'],
  ['a column twice', csvOf(tableOf(sample)).replace('Единица', 'Услуга'), '1: Услуга: Этот столбец стоит дважды'],
  ['no line', csvOf([]), '1: В таблице нет ни одной строки'],
  ['another file', 'Пакеты, короба\nи прочее', '1: Столбца «Пакеты, короба» в прайс-листе не бывает'],
])('%s is an error at the line of the table', (_, lines, said) => {
  const { problems } = readCsv(sample, typeof lines === 'string' ? lines : csvOf(lines));
  expect(problems).toContainEqual(expect.stringContaining(`prices.csv:${said}`));
});
