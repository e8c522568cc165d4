import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import Papa from 'papaparse';
import { readFolder } from '../loading/content-files.ts';
import { one, parseHtml, textOf } from '../tests/support/html.ts';
import { contentWith } from '../tests/support/sample-content.ts';
import { type Saving, saved } from '../tests/support/spreadsheet.ts';
import { siteOf, textAt } from '../tests/support/test-site.ts';

const company = readFolder(join(import.meta.dirname, '../tests/fixtures/second-company'));
const shipped = Papa.parse<string[]>(String(company.get('prices.csv')?.bytes()).trimEnd()).data;

/** What the price list of a day says: the example of the calculator, and some rows of the files. */
async function listOn(day: string, table: Buffer) {
  const files = contentWith({ 'prices.csv': () => table }, company);
  const site = await siteOf({ files, at: new Date(`${day}T09:00:00Z`) });
  const rowsOf = (path: string) =>
    textAt(site, path)
      .split('\r\n')
      .flatMap(
        (line) => /^(paket|srochno|sborka-fbo);.*?;([\d,]+);;;;[^;]*;([\d-]+);/.exec(line)?.slice(1, 4).join(' ') ?? [],
      );
  return {
    total: textOf(one(parseHtml(textAt(site, '/rates/calc')), '.bill-total div:first-child dd')),
    rows: rowsOf('/rates.csv'),
    next: site.find('/rates-next.csv') && rowsOf('/rates-next.csv'),
  };
}

test('a price list kept for a year in a spreadsheet, with three changes of prices', async () => {
  const versions: { table: string[][]; saving: Saving }[] = [];
  const save = (rows: string[][], saving: Saving) => {
    versions.push({ table: [...(versions.at(-1)?.table ?? shipped), ...rows], saving });
  };
  const day = { from: '2026-11-01', spring: '2027-03-01', summer: '2027-06-01', autumn: '2027-10-01' };
  const bag = ['paket', 'upakovka', 'Пакет с клапаном', 'шт.'];
  const urgent = ['srochno', 'sborka', 'Срочная сборка', 'шт.'];
  save([[...urgent, '1', '5', day.from]], { encoding: 'UTF-8', delimiter: ',' });
  save(
    [
      [...bag, '1', '14,00', day.spring],
      [...bag, '500', '11,50', day.spring],
    ],
    { encoding: 'Windows-1251', delimiter: ';', formatted: true },
  );
  save(
    [
      ['zelenodolsk-box', 'rejs', 'Ящик до Зеленодольска', 'ящик', '1', '330', day.summer],
      [...urgent, '1', '', day.summer],
    ],
    {
      ...{ encoding: 'UTF-16', delimiter: '\t' },
    },
  );
  save([['sborka-fbo', 'sborka', 'Сборка поставки FBO', 'шт.', '1', '10 руб.', day.autumn]], {
    ...{ encoding: 'UTF-8 with a byte order mark', delimiter: ';', named: true, formatted: true },
  });

  const first = [
    'paket 12,00 2026-11-01',
    'paket 10,00 2026-11-01',
    'sborka-fbo 9,00 2026-11-01',
    'srochno 5,00 2026-11-01',
  ];
  const spring = ['paket 14,00 2027-03-01', 'paket 11,50 2027-03-01', ...first.slice(2)];
  const summer = spring.slice(0, 3);
  const autumn = [...spring.slice(0, 2), 'sborka-fbo 10,00 2027-10-01'];
  const year = [
    // 10 boxes × 40 ₽ and 300 ₽, 500 bags × 10 ₽, and 500 units × 9 ₽.
    { from: '2026-11-28', until: '2027-02-28', total: '12 900 ₽', rows: first, next: spring },
    { from: '2027-03-01', until: '2027-05-31', total: '13 650 ₽', rows: spring, next: summer },
    { from: '2027-06-01', until: '2027-09-30', total: '13 950 ₽', rows: summer, next: autumn },
    { from: '2027-10-01', until: '2027-11-30', total: '14 450 ₽', rows: autumn, next: undefined },
  ];
  for (const [season, { from, until, ...list }] of year.entries()) {
    // The table that ends with this season, the one that has the next change, and that of the whole year.
    for (const version of new Set([season, Math.min(season + 1, 3), 3])) {
      const { table, saving } = versions[version] ?? { table: [], saving: { encoding: 'UTF-8', delimiter: ';' } };
      const next = version === season ? undefined : list.next;
      for (const at of [from, until])
        expect([at, version, await listOn(at, saved(table, saving))]).toEqual([at, version, { ...list, next }]);
    }
  }
});
