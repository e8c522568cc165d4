import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { tone } from '../src/components/tone.ts';

// npm run icons: renders public/favicon.svg in all icon sizes

const publicDir = join(import.meta.dirname, '..', 'public');
const mark = readFileSync(join(publicDir, 'favicon.svg'));
const units = 32;

function drawn(side: number): Promise<Buffer> {
  return sharp(mark, { density: (72 * side) / units })
    .resize(side, side)
    .png({ compressionLevel: 9, palette: true })
    .toBuffer();
}

/** Phones show transparency as black. @param share of the width; masks keep the middle 80 % */
async function onPaper(side: number, share: number): Promise<Buffer> {
  return sharp({ create: { width: side, height: side, channels: 3, background: tone.paper } })
    .composite([{ input: await drawn(Math.round(side * share)), gravity: 'centre' }])
    .png({ compressionLevel: 9, palette: true })
    .toBuffer();
}

/** A single picture: https://en.wikipedia.org/wiki/ICO_(file_format) */
async function ico(side: number): Promise<Buffer> {
  const image = await drawn(side);
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(side, 6);
  header.writeUInt8(side, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(image.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, image]);
}

const icons: Readonly<Record<string, Buffer>> = {
  'favicon.ico': await ico(48),
  'apple-touch-icon.png': await onPaper(180, 0.72),
  'icon-192.png': await drawn(192),
  'icon-512.png': await drawn(512),
  'icon-maskable-512.png': await onPaper(512, 0.6),
};
for (const [name, bytes] of Object.entries(icons)) {
  writeFileSync(join(publicDir, name), bytes);
  process.stderr.write(`${name} ${bytes.length} bytes\n`);
}
