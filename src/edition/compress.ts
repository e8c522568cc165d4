import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const gz = promisify(gzip);

/** A body in every encoding that is smaller than the body itself. */
export type Encoded = { identity: Buffer; br?: Buffer; gzip?: Buffer };

const compressible = /^(text\/|application\/(json|xml|manifest\+json)|image\/(svg\+xml|x-icon))/;

/** Unused for so long, a cached body goes. */
const keptFor = 30 * 24 * 3600 * 1000;

/**
 * Compresses bodies at the highest quality and keeps the results by the hash of
 * the body, so that what did not change is never compressed again.
 *
 * @param cacheDir made if it is missing
 */
export function compressor(cacheDir: string): {
  encode(type: string, body: Buffer): Promise<Encoded>;
  /** Drops what no build has used for 30 days. */
  prune(): Promise<void>;
} {
  /** By name: an article has two addresses, and both are compressed at once. */
  const running = new Map<string, Promise<Buffer>>();

  function cached(name: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const result = running.get(name) ?? readOrMake(name, make);
    running.set(name, result);
    return result;
  }

  async function readOrMake(name: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const file = join(cacheDir, name);
    try {
      const bytes = await readFile(file);
      const now = new Date();
      await utimes(file, now, now);
      return bytes;
    } catch {
      const bytes = await make();
      await mkdir(cacheDir, { recursive: true });
      // Two builds may run at once: whoever renames last wins, and both wrote the same bytes.
      const draft = `${file}.${randomUUID()}`;
      await writeFile(draft, bytes);
      await rename(draft, file);
      return bytes;
    }
  }

  return {
    async encode(type, body) {
      if (!compressible.test(type)) return { identity: body };
      const hash = createHash('sha256').update(body).digest('hex');
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      };
      const [br, gzipped] = await Promise.all([
        cached(`${hash}.br`, () => brotli(body, { params })),
        cached(`${hash}.gz`, () => gz(body, { level: constants.Z_BEST_COMPRESSION })),
      ]);
      return {
        identity: body,
        ...(br.length < body.length && { br }),
        ...(gzipped.length < body.length && { gzip: gzipped }),
      };
    },
    async prune() {
      const before = Date.now() - keptFor;
      for (const name of await readdir(cacheDir).catch(() => [])) {
        const file = join(cacheDir, name);
        const { mtimeMs } = await stat(file);
        if (mtimeMs < before) await rm(file, { force: true });
      }
    },
  };
}
