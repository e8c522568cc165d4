import { brotliCompressSync, constants } from 'node:zlib';
import { readIndex } from '../../src/edition/edition-index.ts';
import { openEdition } from '../../src/edition/open.ts';
import { openShipped } from '../../src/edition/stores.ts';
import { alone, type Figure, median } from './figure.ts';

/** Where a visitor goes from the home page: each place by the addresses that it may have, each of them as likely. */
const visit: readonly RegExp[] = [
  /^\/rates$/,
  /^\/rates\/calc$/,
  /^\/services\//,
  /^\/services\//,
  /^\/cases$/,
  /^\/cases\/\D/,
  /^\/contacts$/,
  /^\/reviews$/,
  /^\/blog\/.+\/\D/,
];

const light = 2 * 1024;

/**
 * What the second to the tenth page of a visit take for a browser that has the dictionary, against brotli at its best.
 * Nothing is measured in time, so no server is needed.
 *
 * @throws if nothing was built
 */
export async function measureDictionary(): Promise<Figure[]> {
  const shipped = openShipped();
  const row = shipped?.everyEdition()[0];
  const edition = row && openEdition(readIndex(row.root, shipped), shipped);
  if (edition === undefined) throw new Error('There is no edition in dist/; run the build first.');
  const sizeOf = (path: string, coding: 'dcz' | 'br' | 'identity') => bodyOf(path, coding).length;
  const bodyOf = (path: string, coding: 'dcz' | 'br' | 'identity') =>
    edition.find(path)?.answer(new Set([coding]), false)?.body ?? Buffer.alloc(0);
  const places = visit.map((place) =>
    edition
      .pages()
      .filter((path) => place.test(path))
      .map((path) => ({ dcz: sizeOf(path, 'dcz'), br: best(bodyOf(path, 'identity')) })),
  );
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return [
    alone(
      'pages with the dictionary against brotli 11, median',
      'of it',
      median(places.map((pages) => mean(pages.map(({ dcz, br }) => dcz / br)))),
      { at: 'most', value: 0.2 },
    ),
    alone(
      'pages with the dictionary of at most 2 KB',
      'of all',
      mean(places.map((pages) => mean(pages.map(({ dcz }) => Number(dcz <= light))))),
      { at: 'least', value: 0.9 },
    ),
    alone('a page with the dictionary, mean', 'B', mean(places.map((pages) => mean(pages.map(({ dcz }) => dcz))))),
    alone('the dictionary itself, as it is fetched', 'B', sizeOf(edition.dictionary.path, 'br')),
  ];
}

function best(body: Buffer): number {
  return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } })
    .length;
}
