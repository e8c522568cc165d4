import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { createCache } from '../lib/cache.ts';
import { bodyOf } from './body.ts';

const text = Buffer.from(Array.from({ length: 2000 }, (_, n) => `<li>Строка ${n * 7919} из ${n % 13}</li>`).join('\n'));

test('a body is compressed at once and kept, and later as well as can be', async () => {
  const cache = createCache();
  const body = bodyOf(text, cache);
  const quick = body.encoded('br');
  expect(quick.encoding).toBe('br');
  expect(brotliDecompressSync(quick.bytes)).toEqual(text);
  expect(bodyOf(Buffer.from(text), cache).encoded('br')).toBe(quick);
  await body.compressWell();
  const small = body.encoded('br');
  expect(small.bytes.length).toBeLessThan(quick.bytes.length);
  expect(brotliDecompressSync(small.bytes)).toEqual(text);
  expect(gunzipSync(body.encoded('gzip').bytes)).toEqual(text);
  // Nothing is compressed twice.
  await body.compressWell();
  expect(body.encoded('br')).toBe(small);
});

test('what does not get smaller is sent as it is', () => {
  const noise = Buffer.from(Array.from({ length: 64 }, (_, n) => (n * n * 31) % 251));
  const body = bodyOf(noise, createCache());
  for (const encoding of ['br', 'gzip', 'identity'] as const) {
    expect(body.encoded(encoding)).toEqual({ encoding: 'identity', bytes: noise });
  }
});
