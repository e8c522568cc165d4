import { expect, test } from '@jest/globals';
import { paths } from '../lib/paths.ts';
import { readAssets } from '../loading/assets.ts';
import { drawingPath, type PictureFile } from '../loading/read-pictures.ts';
import type { Head, PageFacts } from '../pages/page.ts';
import { shownSite } from '../tests/support/test-site.ts';
import { shareCards, shareKey } from './share-picture.tsx';

const { content } = await shownSite();
const { company } = content;
const assets = readAssets(paths.public);
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>';
const drawing: PictureFile = {
  ...{ name: 'a', file: 'a'.repeat(32), hash: '0123456789', drawing: Buffer.from(svg) },
  ...{ width: 1, height: 1 },
};
const cards = shareCards({ company, assets, drawings: [drawing] });

const base64 = (bytes: Buffer | string | undefined) =>
  `data:image/svg+xml;base64,${Buffer.from(bytes ?? '').toString('base64')}`;
const asset = (path: string) => base64(assets.get(path)?.bytes);

function cardOf(page: Partial<PageFacts>, head: Partial<Head>) {
  const crumbs = [
    { path: '/blog', text: 'Блог' },
    { path: '/blog/a', text: 'Статья' },
  ];
  return cards.of({
    page: { name: 'a', ...page },
    head: { path: '/a', title: 'Название', description: '', crumbs, ...head },
  });
}

test('the share picture of a page has its drawing, that of its kind, or a general one', () => {
  const general = asset('/images/presets/service.svg');
  const own = '/images/broadcast-off.svg';
  expect(cardOf({}, {}).drawing).toBe(general);
  expect(cards.general.drawing).toBe(general);
  expect(cardOf({ share: { drawing: own } }, {}).drawing).toBe(asset(own));
  expect(cardOf({ share: { drawing: own } }, { drawing: drawingPath(drawing) }).drawing).toBe(base64(svg));
  expect(cardOf({}, { drawing: assets.get(own)?.href }).drawing).toBe(asset(own));
  expect(cardOf({}, { drawing: '/nowhere.svg' }).drawing).toBe(general);
  expect(new Set([general, asset(own), base64(svg), base64('')]).size).toBe(4);
});

test('a share picture has another address when any of its words or drawings changes', () => {
  const card = cards.general;
  const others = (Object.keys(card) as (keyof typeof card)[]).map((name) => ({ ...card, [name]: base64('other') }));
  const keys = [card, ...others].map(shareKey);
  expect(new Set(keys).size).toBe(keys.length);
  expect(shareKey({ ...card })).toBe(keys[0]);
});
