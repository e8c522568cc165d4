import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { BuildCache } from './build-cache.ts';

const brotli = promisify(brotliCompress);
const gz = promisify(gzip);

/** A body in every encoding that is smaller than the body itself. */
export type Encoded = { identity: Buffer; br?: Buffer; gzip?: Buffer };

const compressible = /^(text\/|application\/(json|xml|manifest\+json)|image\/(svg\+xml|x-icon))/;

/**
 * Compresses a body at the highest quality. Results are kept by the hash of the
 * body, so that what did not change is never compressed again.
 */
export async function compress(type: string, body: Buffer, { keep }: BuildCache): Promise<Encoded> {
  if (!compressible.test(type)) return { identity: body };
  const hash = createHash('sha256').update(body).digest('hex');
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  const [br, gzipped] = await Promise.all([
    keep(`${hash}.br`, () => brotli(body, { params })),
    keep(`${hash}.gz`, () => gz(body, { level: constants.Z_BEST_COMPRESSION })),
  ]);
  return {
    identity: body,
    ...(br.length < body.length && { br }),
    ...(gzipped.length < body.length && { gzip: gzipped }),
  };
}
