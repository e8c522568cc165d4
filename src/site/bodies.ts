import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Hash } from '../lib/hash.ts';

const brotli = promisify(brotliCompress);
const gz = promisify(gzip);

export type Encoding = 'br' | 'gzip' | 'identity';

/** `identity` if compression does not help. */
export type EncodedBody = { encoding: Encoding; bytes: Buffer };

/** By content hash; shared by successive sites. */
export type Bodies = {
  /** @param read returns the uncompressed body */
  get(hash: Hash, encoding: Encoding, read: () => Buffer): EncodedBody;
  /** At the highest level, in the background. */
  compressWell(hash: Hash, read: () => Buffer): Promise<void>;
  /** More bodies would evict others. */
  isFull(): boolean;
};

/** Above this share, decompressing costs more than it saves. */
const worthwhile = 0.9;

/** 256 KB, more than any page; brotli needs several times as much memory. */
const window = 18;

/** For misses: speed matters more than a few percent of size. */
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

/** @param most bytes */
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
