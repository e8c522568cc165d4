import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { type FilePart, joinParts, totalLength } from '../lib/file-parts.ts';
import { namelessProfile } from './color-profile.ts';

/*
 * Cameras, phones and editors write places, names, paths, small copies and whole films into the file of a photograph.
 * Only what its pixels need is sent; what is not known here is left out.
 */

export type PhotoParts = {
  /** What may be sent before it is encoded; `undefined` if nothing may. */
  parts?: readonly FilePart[];
  /** Its sides change places when it is shown upright. */
  turned: boolean;
  animated: boolean;
};

/** Honest files need about ten. */
const maxParts = 256;
/** Segments or chunks. Some programs write a PNG in chunks of 1 KB. */
const maxPieces = 20_000;
const maxProfileBytes = 4 * 1024 * 1024;

/** @param type as `image-size` names it @returns `undefined` if the file is damaged */
export function photoParts(bytes: Buffer, type: string): PhotoParts | undefined {
  const read = readers[type];
  try {
    const { parts, orientation = 1, animated = false } = read?.(bytes) ?? {};
    const kept = parts && joinParts(parts, maxParts);
    // From 5 on, the camera was on its side.
    return { ...(kept && { parts: kept }), turned: orientation >= 5, animated };
  } catch {
    return undefined;
  }
}

type Photo = { parts?: Iterable<FilePart>; orientation?: number; animated?: boolean };

/** @throws if the file is damaged */
const readers: Readonly<Record<string, (bytes: Buffer) => Photo>> = {
  jpg: readJpeg,
  png: readPng,
  webp: readWebp,
  avif: (bytes) => ({ orientation: quarterTurns(bytes) % 2 === 1 ? 6 : 1 }),
};

/** Of a file, with its header; `body` is what is inside. */
type Piece = { name: string; start: number; end: number; body: Buffer };

const range = ({ start, end }: Piece): FilePart => ({ start, end });

function listed(pieces: Iterable<Piece>): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    if (all.push(piece) > maxPieces) throw new Error('The file has too many pieces.');
  }
  return all;
}

/** Coding, quantisation and entropy tables, restart intervals, scans, and the end (ITU-T T.81, table B.1). */
const jpegMarkers = /^(c[0-35-79a-f]|c4|cc|d9|da|db|dd)$/;

function readJpeg(bytes: Buffer): Photo {
  const pieces = listed(jpegPieces(bytes));
  const bodies = (name: string, label: string) =>
    pieces.flatMap(({ name: other, body }) =>
      other === name && body.toString('latin1', 0, label.length) === label ? [body.subarray(label.length)] : [],
    );
  const [exif] = bodies('e1', 'Exif\0\0');
  const [adobe] = bodies('ee', 'Adobe');
  const orientation = orientationIn(exif);
  const profiles = bodies('e2', 'ICC_PROFILE\0').toSorted(([a = 0], [b = 0]) => a - b);
  const profile = usableProfile(Buffer.concat(profiles.map((body) => body.subarray(2))));
  const parts = [
    Buffer.of(0xff, 0xd8),
    // Decides about the color space, like Adobe's segment. Its original may have a small copy.
    ...(bodies('e0', 'JFIF\0').length > 0 ? [jpegSegment(0xe0, 'JFIF\0', Buffer.of(1, 1, 0, 0, 1, 0, 1, 0, 0))] : []),
    ...(orientation > 1 ? [jpegSegment(0xe1, 'Exif\0\0', exifOf(orientation))] : []),
    ...(profile ? profileSegments(profile) : []),
    ...(adobe ? [jpegSegment(0xee, 'Adobe', adobe.subarray(0, 7))] : []),
    ...pieces.filter(({ name }) => jpegMarkers.test(name)).map(range),
  ];
  return { parts, orientation };
}

/** Ends with the first picture; phones append others. */
function* jpegPieces(bytes: Buffer): Iterable<Piece> {
  for (let start = 2; ; ) {
    if (bytes[start] !== 0xff) throw new Error('There is no marker.');
    // A marker may be preceded by any number of these bytes.
    if (bytes[start + 1] === 0xff) {
      start += 1;
      continue;
    }
    const name = bytes.readUInt8(start + 1).toString(16);
    const header = start + 2;
    if (name === 'd9') return yield { name, start, end: header, body: bytes.subarray(0, 0) };
    const bodyEnd = header + bytes.readUInt16BE(header);
    const end = name === 'da' ? scanEnd(bytes, bodyEnd) : bodyEnd;
    yield { name, start, end, body: bytes.subarray(header + 2, bodyEnd) };
    start = end;
  }
}

/** In a scan, 0xFF is followed by zero or belongs to a restart marker. */
function scanEnd(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at !== -1; at = bytes.indexOf(0xff, at + 2)) {
    const next = bytes.readUInt8(at + 1);
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
  }
  throw new Error('The scan has no end.');
}

function jpegSegment(code: number, label: string, body: Uint8Array): Buffer {
  const segment = Buffer.concat([Buffer.of(0xff, code, 0, 0), Buffer.from(label), body]);
  segment.writeUInt16BE(segment.length - 2, 2);
  return segment;
}

function profileSegments(profile: Buffer): Buffer[] {
  const length = 0xffff - 2 - 'ICC_PROFILE\0'.length - 2;
  const count = Math.ceil(profile.length / length);
  return Array.from({ length: count }, (_, n) => {
    const body = profile.subarray(n * length, (n + 1) * length);
    return jpegSegment(0xe2, 'ICC_PROFILE\0', Buffer.concat([Buffer.of(n + 1, count), body]));
  });
}

const pngChunks = /^(PLTE|tRNS|gAMA|cHRM|sRGB|cICP|IDAT|IEND)$/;

function readPng(bytes: Buffer): Photo {
  const pieces = listed(pngPieces(bytes));
  const bodyOf = (name: string) => pieces.find((piece) => piece.name === name)?.body;
  const orientation = orientationIn(bodyOf('eXIf'));
  const profile = pngProfile(bodyOf('iCCP'));
  const parts = [
    { start: 0, end: pieces[0]?.end ?? 0 },
    ...(profile ? [pngChunk('iCCP', Buffer.concat([Buffer.from('icc\0\0'), deflateSync(profile)]))] : []),
    ...(orientation > 1 ? [pngChunk('eXIf', exifOf(orientation))] : []),
    ...pieces.filter(({ name }) => pngChunks.test(name)).map(range),
  ];
  return { parts, orientation, animated: bodyOf('acTL') !== undefined };
}

function* pngPieces(bytes: Buffer): Iterable<Piece> {
  for (let start = 8; ; ) {
    const bodyEnd = start + 8 + bytes.readUInt32BE(start);
    const [name, end] = [bytes.toString('latin1', start + 4, start + 8), bodyEnd + 4];
    if (end > bytes.length) throw new Error('The file is cut.');
    yield { name, start, end, body: bytes.subarray(start + 8, bodyEnd) };
    if (name === 'IEND') return;
    start = end;
  }
}

function pngChunk(name: string, body: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(name), body, Buffer.alloc(4)]);
  chunk.writeUInt32BE(body.length);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}

function pngProfile(chunk: Buffer | undefined): Buffer | undefined {
  // After the name comes the method, which is always 0.
  const packed = chunk?.subarray(chunk.indexOf(0) + 2);
  try {
    return packed && usableProfile(inflateSync(packed, { maxOutputLength: maxProfileBytes }));
  } catch {
    return undefined;
  }
}

const webpFlags = { profile: 0x20, alpha: 0x10, animation: 0x02 };

function readWebp(bytes: Buffer): Photo {
  const pieces = listed(webpPieces(bytes));
  const bodyOf = (name: string) => pieces.find((piece) => piece.name === name)?.body;
  const header = bodyOf('VP8X');
  const flags = header?.readUInt8() ?? 0;
  if (flags & webpFlags.animation) return { animated: true };
  const profile = usableProfile(bodyOf('ICCP') ?? Buffer.alloc(0));
  const pixels = pieces.filter(({ name }) => /^(ALPH|VP8 |VP8L)$/.test(name)).map(range);
  if (header === undefined) return { parts: webpFile(pixels) };
  const kept = (flags & webpFlags.alpha) | (profile ? webpFlags.profile : 0);
  const parts = [
    webpChunk('VP8X', Buffer.concat([Buffer.of(kept, 0, 0, 0), header.subarray(4, 10)])),
    ...(profile ? [webpChunk('ICCP', profile)] : []),
    ...pixels,
  ];
  // Chromium does not turn a WebP, whatever it says.
  return { parts: webpFile(parts), orientation: orientationIn(bodyOf('EXIF')) };
}

function* webpPieces(bytes: Buffer): Iterable<Piece> {
  const fileEnd = 8 + bytes.readUInt32LE(4);
  if (fileEnd > bytes.length) throw new Error('The file is cut.');
  for (let start = 12; start + 8 <= fileEnd; ) {
    const bodyEnd = start + 8 + bytes.readUInt32LE(start + 4);
    if (bodyEnd > fileEnd) throw new Error('The file is cut.');
    const end = bodyEnd + (bodyEnd % 2);
    yield { name: bytes.toString('latin1', start, start + 4), start, end, body: bytes.subarray(start + 8, bodyEnd) };
    start = end;
  }
}

function webpFile(chunks: FilePart[]): FilePart[] {
  const file = webpChunk('RIFF', Buffer.from('WEBP'));
  file.writeUInt32LE(4 + totalLength(chunks), 4);
  return [file, ...chunks];
}

function webpChunk(name: string, body: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.from(name), Buffer.alloc(4), body, Buffer.alloc(body.length % 2)]);
  chunk.writeUInt32LE(body.length, 4);
  return chunk;
}

/** @returns `undefined` if browsers would ignore it */
function usableProfile(profile: Buffer): Buffer | undefined {
  try {
    return profile.length > maxProfileBytes ? undefined : namelessProfile(profile);
  } catch {
    return undefined;
  }
}

const orientationTag = 0x0112;

/** EXIF with nothing else. */
function exifOf(orientation: number): Buffer {
  const exif = Buffer.alloc(26);
  exif.write('MM\0*\0\0\0\x08\0\x01', 'latin1');
  exif.writeUInt16BE(orientationTag, 10);
  // One number of 16 bits.
  exif.writeUInt16BE(3, 12);
  exif.writeUInt32BE(1, 14);
  exif.writeUInt16BE(orientation, 18);
  return exif;
}

/** From 1 to 8; 1 if the camera was upright, or does not say. */
function orientationIn(chunk: Buffer | undefined): number {
  const exif = chunk?.subarray(chunk.toString('latin1', 0, 6) === 'Exif\0\0' ? 6 : 0) ?? Buffer.alloc(0);
  const isLittle = exif.toString('latin1', 0, 2) === 'II';
  const short = (at: number) => (isLittle ? exif.readUInt16LE(at) : exif.readUInt16BE(at));
  try {
    const directory = isLittle ? exif.readUInt32LE(4) : exif.readUInt32BE(4);
    const entries = Array.from({ length: short(directory) }, (_, n) => directory + 2 + n * 12);
    const entry = entries.find((at) => short(at) === orientationTag);
    const orientation = entry === undefined ? 1 : short(entry + 8);
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
  } catch {
    return 1;
  }
}

/** HEIF's property `irot` (ISO/IEC 23008-12, 6.5.10). */
function quarterTurns(avif: Buffer): number {
  const [property, pixels] = [avif.indexOf('irot'), avif.indexOf('mdat')];
  return property === -1 || (pixels !== -1 && pixels < property) ? 0 : avif.readUInt8(property + 4);
}
