import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Hash } from '../lib/hash.ts';

const brotli = promisify(brotliCompress);
const gz = promisify(gzip);

/** What bodies are sent as; `identity` is as they are. */
export type Encoding = 'br' | 'gzip' | 'identity';

/** A body as it is sent: `identity`, if it does not get smaller. */
export type EncodedBody = { encoding: Encoding; bytes: Buffer };

/** Bodies by the hash of what they are without an encoding. They outlive a site: the next one has most of them, too. */
export type Bodies = {
  /** @param read gives the body as it is, if it has to be compressed now */
  get(hash: Hash, encoding: Encoding, read: () => Buffer): EncodedBody;
  /** Compresses a body as well as can be, beside other work, unless that was done before. */
  compressWell(hash: Hash, read: () => Buffer): Promise<void>;
  /** Whether others would have to go for more to be kept. */
  isFull(): boolean;
};

/** A body of which this is left is sent as it is: unpacking would cost more than it saves. */
const worthwhile = 0.9;

/** Of 256 KB, more than a page has: brotli takes several times as much memory for it. */
const window = 18;

/** Milliseconds of a visitor's time are worth more than some percent of size. */
const quickly: Readonly<Record<Encoding, (bytes: Buffer) => Buffer>> = {
  br: (bytes) =>
    brotliCompressSync(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: window },
    }),
  gzip: (bytes) => gzipSync(bytes),
  identity: (bytes) => bytes,
};

const well: Readonly<Record<'br' | 'gzip', (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_LGWIN]: window,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => gz(bytes, { level: constants.Z_BEST_COMPRESSION }),
};

/** @param most bytes that are kept; what was asked for longest ago goes first */
export function createBodies(most = 64 * 1024 * 1024): Bodies {
  const kept = new LRUCache<string, EncodedBody>({ maxSize: most, sizeCalculation: ({ bytes }) => bytes.length + 200 });
  const compressedWell = new LRUCache<Hash, true>({ max: 20_000 });

  function keep(hash: Hash, encoding: Encoding, packed: Buffer, plain: Buffer): EncodedBody {
    const smaller = packed.length < worthwhile * plain.length;
    const body: EncodedBody = smaller ? { encoding, bytes: packed } : { encoding: 'identity', bytes: plain };
    kept.set(`${encoding} ${hash}`, body);
    return body;
  }

  return {
    get(hash, encoding, read) {
      const known = kept.get(`${encoding} ${hash}`);
      if (known) return known;
      const plain = read();
      return keep(hash, encoding, quickly[encoding](plain), plain);
    },
    async compressWell(hash, read) {
      if (compressedWell.has(hash) && kept.has(`br ${hash}`) && kept.has(`gzip ${hash}`)) return;
      const plain = read();
      for (const encoding of ['br', 'gzip'] as const) keep(hash, encoding, await well[encoding](plain), plain);
      compressedWell.set(hash, true);
    },
    isFull: () => kept.calculatedSize > 0.9 * most,
  };
}
