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
  const [link] = all(head, 'link[rel="manifest"]');
  const { status, headers, text } = await site.request(link?.attrs.href ?? '');
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

test('favicon.ico holds the mark at 48 pixels, which browsers that take no SVG scale down', async () => {
  const ico = await bytesOf('/favicon.ico');
  const [length, offset] = [ico.readUInt32LE(14), ico.readUInt32LE(18)];
  expect([ico.readUInt16LE(4), ico.readUInt8(6), length + offset]).toEqual([1, 48, ico.length]);
  const { width, height } = await sharp(ico.subarray(offset)).metadata();
  expect([width, height]).toEqual([48, 48]);
});
