import { promisify } from 'node:util';
import { type BrotliOptions, brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type { Cache } from '../lib/cache.ts';
import { type Hash, hashOf } from '../lib/hash.ts';

const brotli = promisify(brotliCompress);
const gz = promisify(gzip);

export type Encoding = 'br' | 'gzip' | 'identity';

/** `identity` if compression does not help. */
export type EncodedBody = { encoding: Encoding; bytes: Buffer };

export type Body = {
  hash: Hash;
  /** Fast until `compressWell` is called. */
  encoded(encoding: Encoding): EncodedBody;
  /** In the background, once, at the highest level. */
  compressWell(): Promise<void>;
};

/** Above this ratio, decompressing costs more than it saves. */
const maxCompressionRatio = 0.9;

/** 256 KB, more than any page; brotli takes several times that memory. */
const brotliWindowBits = 18;

/** For cache misses, where speed beats a few percent of size. */
const fastBrotliQuality = 4;

function brotliOptions(quality: number, { length }: Buffer): BrotliOptions {
  return {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_LGWIN]: brotliWindowBits,
      [constants.BROTLI_PARAM_SIZE_HINT]: length,
    },
  };
}

/** Successive sites share bodies through the cache. */
export function bodyOf(plain: Buffer, cache: Cache): Body {
  const hash = hashOf(plain);
  return cache.get(`body ${hash}`, () => createBody(plain, hash));
}

function createBody(plain: Buffer, hash: Hash): Body {
  const identity: EncodedBody = { encoding: 'identity', bytes: plain };
  const kept = new Map<Encoding, EncodedBody>([['identity', identity]]);
  let compressed: Promise<void> | undefined;

  function keep(encoding: Encoding, bytes: Buffer): EncodedBody {
    const body = bytes.length < maxCompressionRatio * plain.length ? { encoding, bytes } : identity;
    kept.set(encoding, body);
    return body;
  }

  async function compress(): Promise<void> {
    keep('br', await brotli(plain, brotliOptions(constants.BROTLI_MAX_QUALITY, plain)));
    keep('gzip', await gz(plain, { level: constants.Z_BEST_COMPRESSION }));
  }

  return {
    hash,
    encoded(encoding) {
      const known = kept.get(encoding);
      if (known) return known;
      return keep(
        encoding,
        encoding === 'br' ? brotliCompressSync(plain, brotliOptions(fastBrotliQuality, plain)) : gzipSync(plain),
      );
    },
    compressWell() {
      compressed ??= compress();
      return compressed;
    },
  };
}
