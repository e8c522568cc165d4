import { deflateSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import sharp from 'sharp';
import { keptBytes } from '../tests/support/kept-bytes.ts';
import { type PhotoFormat, piece, planted, secret } from '../tests/support/photos.ts';
import { photoParts } from './photo-parts.ts';

const types = { jpeg: 'jpg', png: 'png', webp: 'webp' } as const;

function cleaned(format: PhotoFormat, bytes: Buffer): Buffer {
  const { parts = [] } = photoParts(bytes, types[format]) ?? {};
  return keptBytes(bytes, parts);
}

const pixelsOf = (bytes: Buffer) => sharp(bytes).raw().toBuffer();

const text = Buffer.from(secret);
const names: Readonly<Record<PhotoFormat, readonly [name: string, body: Buffer][]>> = {
  jpeg: [
    ['fe', text],
    ['e0', Buffer.from(`JFXX\0${secret}`)],
    ['e0', Buffer.from(`JFIF\0\x01\x02\0\0\x01\0\x01\0\0${secret}`)],
    ['e1', Buffer.from(`Exif\0\0MM\0*${secret}`)],
    ['e1', Buffer.from(`http://ns.adobe.com/xap/1.0/\0${secret}`)],
    ['e2', Buffer.from(`MPF\0${secret}`)],
    ['e2', Buffer.from(`ICC_PROFILE\0\x01\x01${secret}`)],
    ['ed', Buffer.from(`Photoshop 3.0\0${secret}`)],
    ['e7', text],
  ],
  png: [
    ['tEXt', Buffer.from(`Comment\0${secret}`)],
    ['tEXt', Buffer.from(`Raw profile type exif\0\nexif\n9\n${secret}`)],
    ['zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(text, { level: 0 })])],
    ['iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${secret}`)],
    ['eXIf', Buffer.from(`MM\0*${secret}`)],
    ['iCCP', Buffer.concat([Buffer.from(`${secret}\0\0`), deflateSync(text)])],
    ['prVt', text],
  ],
  webp: [
    ['EXIF', Buffer.from(`MM\0*${secret}`)],
    ['XMP ', text],
    ['ICCP', text],
    ['ABCD', text],
  ],
};

const photo = fc.record({
  format: fc.constantFrom<PhotoFormat>('jpeg', 'png', 'webp'),
  channels: fc.constantFrom(3 as const, 4 as const),
  colours: fc.constantFrom('srgb', 'p3', 'cmyk', 'b-w'),
  orientation: fc.integer({ min: 1, max: 8 }),
  /** Progressive, interlaced or lossless. */
  unusual: fc.boolean(),
  added: fc.array(fc.tuple(fc.nat(), fc.constantFrom('start' as const, 'end' as const, 'after' as const)), {
    maxLength: 4,
  }),
});

type Photo = typeof photo extends fc.Arbitrary<infer T> ? T : never;

async function made({ format, channels, colours, orientation, unusual, added }: Photo): Promise<Buffer> {
  const background = { r: 90, g: 160, b: 40, alpha: 0.5 };
  const noise = { type: 'gaussian', mean: 120, sigma: 60 } as const;
  const picture = sharp({ create: { width: 23, height: 14, channels, background, ...(channels === 3 && { noise }) } });
  const space = format === 'jpeg' || colours !== 'cmyk' ? colours : 'srgb';
  const profile = space === 'b-w' ? [] : [space];
  for (const name of profile) picture.withIccProfile(name);
  let bytes: Buffer = await picture
    .toColourspace(space === 'p3' ? 'srgb' : space)
    .withExif({ IFD0: { Copyright: secret } })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${secret}</x:xmpmeta>`)
    .withMetadata({ orientation })
    .toFormat(format, { progressive: unusual, lossless: unusual })
    .toBuffer();
  for (const [which, place] of added) {
    const [name, body] = names[format][which % names[format].length] ?? ['', text];
    bytes = planted(format, bytes, piece(format, name, body), place);
  }
  return bytes;
}

test('a photograph of any kind keeps its pixels and loses what cameras, phones and editors wrote into it', async () => {
  await fc.assert(
    fc.asyncProperty(photo, async (one) => {
      const bytes = await made(one);
      const clean = cleaned(one.format, bytes);
      expect(clean.includes(secret)).toBe(false);
      expect((await pixelsOf(clean)).equals(await pixelsOf(bytes))).toBe(true);
      const { exif, xmp, iptc, comments, orientation = 1 } = await sharp(clean).metadata();
      const { orientation: before = 1 } = one.format === 'webp' ? {} : await sharp(bytes).metadata();
      expect([xmp, iptc, comments]).toEqual([undefined, undefined, undefined]);
      expect([orientation, exif === undefined || exif.length < 40]).toEqual([before, true]);
      // Nothing more would be taken away.
      expect(cleaned(one.format, clean).equals(clean)).toBe(true);
    }),
  );
});

test('a color profile keeps its colors and loses the names of a screen and its owner', async () => {
  const grey = sharp({ create: { width: 9, height: 9, channels: 3, background: '#40c080' } });
  const { icc = Buffer.alloc(0) } = await sharp(await grey.clone().withIccProfile('p3').png().toBuffer()).metadata();
  // The entry of the copyright in the table of tags has its position.
  icc.write(secret, icc.readUInt32BE(icc.indexOf('cprt') + 4) + 8);
  const profile = piece('jpeg', 'e2', Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01'), icc]));
  const bytes = planted('jpeg', await grey.jpeg().toBuffer(), profile, 'start');
  const clean = cleaned('jpeg', bytes);
  expect([bytes.includes(secret), clean.includes(secret)]).toEqual([true, false]);
  expect((await pixelsOf(clean)).equals(await pixelsOf(bytes))).toBe(true);
  const { icc: kept } = await sharp(clean).metadata();
  expect(kept?.length).toBe(icc.length);
});
