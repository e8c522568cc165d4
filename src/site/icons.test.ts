import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import { all, parseHtml } from '../testing/html.ts';
import { startTestSite } from '../testing/test-site.ts';

type Manifest = {
  name: string;
  start_url: string;
  icons: readonly { src: string; sizes: string; type: string; purpose?: string }[];
};

const site = await startTestSite();

async function bytesOf(path: string): Promise<Buffer> {
  const answer = await fetch(`http://127.0.0.1:${site.port}${path}`);
  expect([path, answer.status]).toEqual([path, 200]);
  return Buffer.from(await answer.arrayBuffer());
}

async function manifest(): Promise<Manifest> {
  const head = parseHtml((await site.request('/')).text);
  const [link] = all(head, 'link', { rel: 'manifest' });
  const { status, headers, text } = await site.request(link?.attributes.href ?? '');
  expect([status, headers['content-type']]).toEqual([200, 'application/manifest+json']);
  return JSON.parse(text) as Manifest;
}

test('the manifest has the name that the content gives, and icons of the sizes that it says', async () => {
  const { name, start_url, icons } = await manifest();
  expect([name, start_url]).toEqual([site.services.site.content.company.name, '/']);
  expect(icons.map(({ purpose }) => purpose)).toContain('maskable');
  for (const { src, sizes, type } of icons) {
    const { width, height, format } = await sharp(await bytesOf(src)).metadata();
    expect([`${width}x${height}`, `image/${format}`]).toEqual([sizes, type]);
  }
});

test('the icons that phones cut to a shape are opaque', async () => {
  const cut = (await manifest()).icons.filter(({ purpose }) => purpose === 'maskable').map(({ src }) => src);
  for (const src of [...cut, '/apple-touch-icon.png']) {
    expect([src, (await sharp(await bytesOf(src)).stats()).isOpaque]).toEqual([src, true]);
  }
  const { width, height } = await sharp(await bytesOf('/apple-touch-icon.png')).metadata();
  expect([width, height]).toEqual([180, 180]);
});

test('favicon.ico holds the mark at 16, 32 and 48 pixels', async () => {
  const ico = await bytesOf('/favicon.ico');
  const sides: (number | undefined)[] = [];
  for (let index = 0; index < ico.readUInt16LE(4); index++) {
    const entry = 6 + 16 * index;
    const offset = ico.readUInt32LE(entry + 12);
    const { width } = await sharp(ico.subarray(offset, offset + ico.readUInt32LE(entry + 8))).metadata();
    expect(width).toBe(ico.readUInt8(entry));
    sides.push(width);
  }
  expect(sides).toEqual([16, 32, 48]);
});
