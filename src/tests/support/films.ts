/** A box of MP4. */
export function box(type: string, ...inside: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(inside.map((part) => Buffer.from(part as string, 'latin1')));
  const header = Buffer.alloc(8);
  header.writeUInt32BE(8 + body.length);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, body]);
}

const handler = (type: string) => box('hdlr', '\0\0\0\0\0\0\0\0', type, '\0'.repeat(12), '\0');

export function track(type: string, ...more: readonly Buffer[]): Buffer {
  const media = box('mdia', box('mdhd', '\0'.repeat(24)), handler(type), box('minf', box('stbl')));
  return box('trak', box('tkhd', '\0'.repeat(84)), media, ...more);
}

/** An MP4 of one picture track. @param more are in `moov` */
export function film(...more: readonly Buffer[]): Buffer {
  const movie = box('moov', box('mvhd', '\0'.repeat(100)), track('vide'), ...more);
  return Buffer.concat([box('ftyp', 'isom\0\0\x02\0mp41'), movie, box('mdat', 'The film. '.repeat(4))]);
}
