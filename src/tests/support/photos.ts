import { crc32 } from 'node:zlib';
import sharp from 'sharp';

/** What no visitor may get of a photograph. */
export const secret = 'Invented-Person 55.7558 C:\\Users';

export type PhotoFormat = 'jpeg' | 'png' | 'webp';

/** A JPEG segment, a PNG chunk or a WebP chunk. */
export function piece(format: PhotoFormat, name: string, body: Buffer): Buffer {
  if (format === 'jpeg') {
    const head = Buffer.of(0xff, Number.parseInt(name, 16), 0, 0);
    head.writeUInt16BE(body.length + 2, 2);
    return Buffer.concat([head, body]);
  }
  const [length, tail] = [Buffer.alloc(4), Buffer.alloc(format === 'png' ? 4 : body.length % 2)];
  if (format === 'webp') {
    length.writeUInt32LE(body.length);
    return Buffer.concat([Buffer.from(name), length, body, tail]);
  }
  length.writeUInt32BE(body.length);
  tail.writeUInt32BE(crc32(Buffer.concat([Buffer.from(name), body])));
  return Buffer.concat([length, Buffer.from(name), body, tail]);
}

/** Where a program may add a piece: after the start of the file, its header, or all of it. */
export type Place = 'start' | 'end' | 'after';

/** Adds bytes to a file, as cameras, phones and editors do. */
export function planted(format: PhotoFormat, file: Buffer, added: Buffer, place: Place): Buffer {
  if (place === 'after') return Buffer.concat([file, added]);
  // The start of a JPEG, the header of a PNG, and what a WebP says of itself.
  const start = { jpeg: 2, png: 33, webp: file.toString('latin1', 12, 16) === 'VP8X' ? 30 : 12 }[format];
  const end = { jpeg: file.length - 2, png: file.length - 12, webp: file.length }[format];
  const at = place === 'start' ? start : end;
  const whole = Buffer.concat([file.subarray(0, at), added, file.subarray(at)]);
  if (format === 'webp') whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
}

/** As of a phone: EXIF with a place and a small copy, XMP, a second picture and a film after the first. */
export async function phonePhoto(width: number, height: number, orientation = 1): Promise<Buffer> {
  const photo = await sharp({ create: { width, height, channels: 3, background: '#884422' } })
    .withExif({ IFD0: { Copyright: secret }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '55/1 45/1 0/1' } })
    .withMetadata({ orientation })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${secret}</x:xmpmeta>`)
    .jpeg()
    .toBuffer();
  const film = Buffer.concat([Buffer.from('\0\0\0\x40ftypmp42'), Buffer.from(secret)]);
  return Buffer.concat([photo, photo, film]);
}
