import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { tone } from '../design/tone.ts';
import { paths } from '../lib/paths.ts';
import { readAssets } from '../reading/assets.ts';
import { siteUrl } from '../testing/built.ts';
import { all, one, parseHtml } from '../testing/html.ts';
import { startTestSite } from '../testing/test-site.ts';
import { paintShareCard, shareCards } from './share-picture.tsx';

const site = await startTestSite();

async function told(path: string): Promise<Record<string, string | undefined>> {
  const document = parseHtml((await site.request(path)).text);
  const meta = (name: string) =>
    all(document, 'meta').find(({ attrs }) => (attrs.property ?? attrs.name) === name)?.attrs.content;
  return {
    image: meta('og:image')?.slice(siteUrl.length),
    width: meta('og:image:width'),
    height: meta('og:image:height'),
    alt: meta('og:image:alt'),
    card: meta('twitter:card'),
    title: one(document, 'title').text,
    canonical: all(document, 'link[rel="canonical"]')[0]?.attrs.href?.slice(siteUrl.length),
  };
}

test('every page has a picture of its own, which both of its addresses share', async () => {
  const byCanonical = new Map<string, string>();
  for (const path of site.served.paths) {
    const { image = '', width, height, alt, card, title, canonical = '' } = await told(path);
    expect([path, width, height, card]).toEqual([path, '1200', '630', 'summary_large_image']);
    expect(alt).toBe(title);
    expect([path, byCanonical.get(canonical) ?? image]).toEqual([path, image]);
    byCanonical.set(canonical, image);
  }
  const images = [...byCanonical.values()];
  expect(images.length).toBeGreaterThan(10);
  expect(new Set(images).size).toBe(images.length);
});

test('each is a PNG of 1200 × 630 and at most 60 KB, kept for ever, and no two are the same', async () => {
  const seen = new Map<string, string>();
  const pictures = site.served
    .pictures()
    .map(({ path }) => path)
    .filter((path) => path.startsWith('/share/'));
  expect(pictures.length).toBeGreaterThan(10);
  for (const path of pictures) {
    const { status, headers, body } = await site.request(path);
    expect([path, status, headers['content-type']]).toEqual([path, 200, 'image/png']);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const { format, width, height } = await sharp(body).metadata();
    expect([path, format, width, height]).toEqual([path, 'png', 1200, 630]);
    expect([path, body.length <= 60 * 1024]).toEqual([path, true]);
    const bytes = body.toString('base64');
    expect([path, seen.get(bytes)]).toEqual([path, undefined]);
    seen.set(bytes, path);
  }
  // Decodes it completely.
  await sharp((await site.request(site.served.images.share)).body).stats();
});

test('a page with a query shows the picture of the page without, and forms and errors the general one', async () => {
  expect((await told('/rates/calc?units=0')).image).toBe((await told('/rates/calc')).image);
  expect((await told('/rates/calc')).image).not.toBe(site.served.images.share);
  for (const path of ['/contact?preset=request', '/nowhere']) {
    expect([path, (await told(path)).image]).toEqual([path, site.served.images.share]);
  }
});

describe('the words', () => {
  const assets = readAssets(paths.public);

  async function painted(title: string) {
    const { company } = site.served.content;
    const head = { path: '/x', title, description: '', crumbs: [{ path: '/x', text: title }] };
    const card = shareCards({ company, assets, drawings: [], read: () => Buffer.alloc(0) }).of({
      page: { name: 'rates' },
      head,
    });
    const bytes = await paintShareCard(card);
    const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    return (x: number, y: number) =>
      data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3).toString('hex');
  }

  const words = ['Фулфилмент', 'маркетплейсов', 'переупаковка', 'Wildberries'];
  const titles = [10, 34, 35, 50, 51, 70, 71, 90].map((length) =>
    Array.from({ length: 12 }, (_, index) => words[index % words.length])
      .join(' ')
      .slice(0, length),
  );

  test.each(titles)('stay in their column: %s', async (title) => {
    const at = await painted(title);
    const paper = tone.paper.slice(1);
    // The text column has margins.
    for (let x = 0; x < 770; x += 2) expect([x, at(x, 20), at(x, 480)]).toEqual([x, paper, paper]);
    for (let y = 0; y < 490; y += 2) expect([y, at(760, y), at(40, y)]).toEqual([y, paper, paper]);
  });

  test('may hold characters that the font does not have', async () => {
    await expect(painted('Склад 仓库 📦 и остальное')).resolves.toBeDefined();
  });
});
