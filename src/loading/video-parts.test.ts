import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { totalLength } from '../lib/file-parts.ts';
import { box, film, track } from '../tests/support/films.ts';
import { keptBytes } from '../tests/support/kept-bytes.ts';
import { secret } from '../tests/support/photos.ts';
import { videoParts } from './video-parts.ts';

function cleaned(bytes: Buffer): Buffer {
  const parts = videoParts(bytes);
  return 'message' in parts ? Buffer.alloc(0) : keptBytes(bytes, parts);
}

/** Where phones and editors write (QuickTime File Format, ISO/IEC 14496-12). */
const written = fc.constantFrom(
  box('udta', box('\xa9xyz', '\0\x12\x15\xc7', secret)),
  box('udta', box('meta', '\0\0\0\0', box('ilst', secret))),
  box('meta', box('keys', 'mdtacom.apple.quicktime.location.ISO6709'), box('ilst', secret)),
  box('uuid', 'BE7ACFCB97A942E8', secret),
  box('free', secret),
  box('XMP_', secret),
  box('udta', secret.repeat(10_000)),
);

test('an MP4 loses what phones and editors wrote at any level, and every other byte keeps its position', () => {
  const boxes = fc.array(written, { maxLength: 3 });
  const anywhere = fc.record({ first: boxes, inMovie: boxes, inTrack: boxes, last: boxes });
  fc.assert(
    fc.property(anywhere, ({ first, inMovie, inTrack, last }) => {
      const whole = Buffer.concat([
        box('ftyp', 'isom'),
        ...first,
        film(track('soun', ...inTrack), ...inMovie),
        ...last,
      ]);
      const clean = cleaned(whole);
      expect(clean.length).toBe(whole.length);
      expect(clean.includes(secret.slice(0, 8))).toBe(false);
      for (const name of ['mdat', 'hdlr', 'vide', 'soun', 'stbl', 'The film. '])
        expect([name, clean.indexOf(name)]).toEqual([name, whole.indexOf(name)]);
      expect(cleaned(clean).equals(clean)).toBe(true);
    }),
  );
});

test('an MP4 loses the moments of its making, the names of programs and the path of an older file', () => {
  const made = '\xe5\x0f\x1a\x2b';
  const media = box(
    'mdia',
    box('mdhd', '\0\0\0\0', made, made, '\0'.repeat(12)),
    box('hdlr', '\0'.repeat(8), 'vide', '\0'.repeat(12), secret),
    box('minf', box('dinf', box('dref', '\0\0\0\0\0\0\0\x01', box('alis', '\0\0\0\x01', secret)))),
  );
  const header = box('tkhd', '\x01\0\0\0', '\0'.repeat(4), made, '\0'.repeat(4), made, '\0'.repeat(76));
  const clean = cleaned(film(box('trak', header, media)));
  expect(clean.length).toBeGreaterThan(0);
  for (const gone of [made, secret]) expect(clean.includes(Buffer.from(gone, 'latin1'))).toBe(false);
  expect(clean.includes('alis\0\0\0\x01')).toBe(true);
});

test('free space of any length takes no memory', () => {
  const parts = videoParts(film(box('udta', '\0'.repeat(8_000_000))));
  const own = 'message' in parts ? [] : parts.filter((part) => part instanceof Uint8Array);
  expect(totalLength(own)).toBeGreaterThan(8_000_000);
  expect(new Set(own.map(({ buffer }) => buffer)).size).toBeLessThan(4);
});

describe('an MP4 is refused, with the reason', () => {
  const [whole, large] = [film(), Buffer.alloc(16)];
  large.writeUInt32BE(1);
  large.write('mdat', 4);
  large.writeBigUInt64BE(1n << 60n, 8);
  test.each([
    ['is cut within its film', whole.subarray(0, -1), 'обрывается'],
    ['is cut within its tables', whole.subarray(0, 60), 'обрывается'],
    ['lacks its tables', Buffer.concat([box('ftyp', 'isom'), box('mdat', 'a')]), 'обрывается'],
    ['says that a box is longer than any file', Buffer.concat([whole, large]), 'обрывается'],
    ['has a box that ends before it starts', Buffer.concat([whole, Buffer.from('\0\0\0\x07mdat')]), 'испорчен'],
    ['is no MP4', Buffer.from('RIFF....AVI LIST'), 'испорчен'],
    ['is empty', Buffer.alloc(0), 'испорчен'],
    ['has the track of a camera', film(track('meta')), 'бывает место съёмки'],
    ['has subtitles', film(track('sbtl')), 'бывает место съёмки'],
    ['has thousands of boxes', film(...Array.from({ length: 3000 }, () => box('free'))), 'испорчен'],
  ])('if it %s', (_, bytes, said) => {
    expect(videoParts(bytes)).toEqual({ message: expect.stringContaining(said) });
  });
});

test('any damage is reported or leaves parts within the file', () => {
  const bytes = film(box('udta', secret), track('soun'));
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, value) => {
      const parts = videoParts(bytes.with(at, value) as Buffer);
      if (!('message' in parts)) expect(totalLength(parts)).toBe(bytes.length);
    }),
  );
});
