import { tone } from '../components/tone.ts';
import { loadSharp } from '../lib/sharp.ts';

export type Icon = {
  /** Browsers and phones look for some of these addresses, so they have no hash. */
  path: string;
  /** Pixels. */
  side: number;
  /** On paper, of this share of the width: phones show transparency as black, and masks keep the middle 80 %. */
  share?: number;
};

export const icons: readonly Icon[] = [
  { path: '/favicon.ico', side: 48 },
  { path: '/apple-touch-icon.png', side: 180, share: 0.72 },
  { path: '/icon-192.png', side: 192 },
  { path: '/icon-512.png', side: 512 },
  { path: '/icon-maskable-512.png', side: 512, share: 0.6 },
];

/** @param width of the logo, in its own pixels */
export async function drawIcon({ path, side, share }: Icon, logo: Buffer, width: number): Promise<Buffer> {
  const sharp = await loadSharp();
  const inner = Math.round(side * (share ?? 1));
  const drawn = await sharp(logo, { density: Math.max(1, (72 * side) / width) })
    .resize({ width: inner, height: inner, fit: 'contain', background: '#0000' })
    .png(packing)
    .toBuffer();
  if (share === undefined) return path.endsWith('.ico') ? ico(side, drawn) : drawn;
  return sharp({ create: { width: side, height: side, channels: 3, background: tone.paper } })
    .composite([{ input: drawn, gravity: 'centre' }])
    .png(packing)
    .toBuffer();
}

const packing = { compressionLevel: 9, palette: true } as const;

/** A single picture: https://en.wikipedia.org/wiki/ICO_(file_format) */
function ico(side: number, image: Buffer): Buffer {
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
