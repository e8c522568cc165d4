import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readFolder } from '../loading/content-files.ts';
import { one, parseHtml, textOf } from '../tests/support/html.ts';
import { contentWith } from '../tests/support/sample-content.ts';
import { siteOf, textAt } from '../tests/support/test-site.ts';

const company = readFolder(join(import.meta.dirname, '../tests/fixtures/second-company'));

const day = { from: '2026-11-01', spring: '2027-03-01', summer: '2027-06-01', autumn: '2027-10-01' };
/** Three changes of prices; an empty price ends a service. */
const added = [
  `srochno,sborka,Срочная сборка,шт.,1,5,${day.from}`,
  `paket,upakovka,Пакет с клапаном,шт.,1,14,${day.spring}`,
  `paket,upakovka,Пакет с клапаном,шт.,500,11.50,${day.spring}`,
  `zelenodolsk-box,rejs,Ящик до Зеленодольска,ящик,1,330,${day.summer}`,
  `srochno,sborka,Срочная сборка,шт.,1,,${day.summer}`,
  `sborka-fbo,sborka,Сборка поставки FBO,шт.,1,10,${day.autumn}`,
];
const files = contentWith({ 'prices.csv': (text) => `${text.trimEnd()}\n${added.join('\n')}\n` }, company);

/** What the price list of a day says: the example of the calculator, and some rows of the files. */
async function listOn(date: string) {
  const site = await siteOf({ files, at: new Date(`${date}T09:00:00Z`) });
  const row = /^(paket|srochno|sborka-fbo);.*?;([\d,]+);;;;[^;]*;([\d-]+);/;
  const rowsOf = (path: string) =>
    textAt(site, path)
      .split('\r\n')
      .flatMap((line) => row.exec(line)?.slice(1, 4).join(' ') ?? []);
  return {
    total: textOf(one(parseHtml(textAt(site, '/rates/calc')), '.bill-total div:first-child dd')),
    rows: rowsOf('/rates.csv'),
    next: site.find('/rates-next.csv') && rowsOf('/rates-next.csv'),
  };
}

const first = ['paket 12,00 2026-11-01', 'paket 10,00 2026-11-01', 'sborka-fbo 9,00 2026-11-01'];
const urgent = 'srochno 5,00 2026-11-01';
const spring = ['paket 14,00 2027-03-01', 'paket 11,50 2027-03-01', ...first.slice(2), urgent];
const summer = spring.slice(0, 3);
const autumn = [...spring.slice(0, 2), 'sborka-fbo 10,00 2027-10-01'];

test.each([
  // 10 boxes × 40 ₽ and 300 ₽, 500 bags × 10 ₽, and 500 units × 9 ₽.
  ['2026-11-28', '2027-02-28', { total: '12 900 ₽', rows: [...first, urgent], next: spring }],
  ['2027-03-01', '2027-05-31', { total: '13 650 ₽', rows: spring, next: summer }],
  ['2027-06-01', '2027-09-30', { total: '13 950 ₽', rows: summer, next: autumn }],
  ['2027-10-01', '2027-11-30', { total: '14 450 ₽', rows: autumn, next: undefined }],
])('a table with three changes has the prices of its day from %s to %s', async (from, until, list) => {
  for (const date of [from, until]) expect([date, await listOn(date)]).toEqual([date, list]);
});
