import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { hashOf } from '../lib/hash.ts';
import { createBodies } from './bodies.ts';

const text = Buffer.from(Array.from({ length: 2000 }, (_, n) => `<li>Строка ${n * 7919} из ${n % 13}</li>`).join('\n'));
const hash = hashOf(text);

function counted(bytes: Buffer) {
  const read = () => {
    read.times += 1;
    return bytes;
  };
  read.times = 0;
  return read;
}

test('a body is compressed at once and kept, and later as well as can be', async () => {
  const bodies = createBodies();
  const read = counted(text);
  const quick = bodies.get(hash, 'br', read);
  expect(quick.encoding).toBe('br');
  expect(brotliDecompressSync(quick.bytes)).toEqual(text);
  expect(bodies.get(hash, 'br', read)).toBe(quick);
  expect(read.times).toBe(1);
  await bodies.compressWell(hash, read);
  const small = bodies.get(hash, 'br', read);
  expect(small.bytes.length).toBeLessThan(quick.bytes.length);
  expect(brotliDecompressSync(small.bytes)).toEqual(text);
  expect(gunzipSync(bodies.get(hash, 'gzip', read).bytes)).toEqual(text);
  // Nothing is compressed twice.
  await bodies.compressWell(hash, read);
  expect(read.times).toBe(2);
});

test('what does not get smaller is sent as it is', () => {
  const noise = Buffer.from(Array.from({ length: 64 }, (_, n) => (n * n * 31) % 251));
  for (const encoding of ['br', 'gzip', 'identity'] as const) {
    expect(createBodies().get(hashOf(noise), encoding, () => noise)).toEqual({ encoding: 'identity', bytes: noise });
  }
});

test('no more is kept than there is room for, and what has gone is made again', async () => {
  const bodies = createBodies(3 * text.length);
  const first = counted(text);
  bodies.get(hash, 'identity', first);
  expect(bodies.isFull()).toBe(false);
  for (let n = 0; n < 5; n++) {
    const other = Buffer.concat([text, Buffer.from([n])]);
    bodies.get(hashOf(other), 'identity', () => other);
  }
  bodies.get(hash, 'identity', first);
  expect(first.times).toBe(2);
});
