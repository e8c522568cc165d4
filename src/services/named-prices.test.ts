import { expect } from '@jest/globals';
import { paths } from '../lib/paths.ts';
import { readFolder } from '../reading/content-files.ts';
import { shippedTest } from '../testing/content.ts';
import { shownSite } from '../testing/test-site.ts';

/** «от 4,20 ₽» with any kind of space. */
const named = /(?<!\p{L})от\s(\d[\d\s]*(?:,\d+)?)\s₽/giu;

shippedTest('a text that says «от … ₽» names the lowest price of a row of the rates', async () => {
  const files = readFolder(paths.content);
  const { rates } = (await shownSite()).content;
  const lowest = rates.groups.flatMap(({ rows }) =>
    rows.map(({ tiers }) => Math.min(...tiers.map(({ price }) => price))),
  );
  const said = [...files].flatMap(([file, { bytes }]) =>
    [...bytes().toString().matchAll(named)].map(([, price = '']) => ({
      file,
      price: Math.round(Number(price.replace(/\s/g, '').replace(',', '.')) * 100),
    })),
  );
  expect(said).not.toEqual([]);
  expect(said.filter(({ price }) => !lowest.includes(price))).toEqual([]);
});
