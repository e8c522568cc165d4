import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Unused for so long, a kept file goes. */
const keptFor = 30 * 24 * 3600 * 1000;

/** Keeps what is costly to make, so that no later build makes it again. */
export type BuildCache = {
  /**
   * The bytes under this name; made only if nobody has made them before.
   *
   * @param name a file name that holds a hash of all that the bytes depend on
   */
  keep(name: string, make: () => Promise<Buffer>): Promise<Buffer>;
  /** Drops what no build has used for 30 days. */
  prune(): Promise<void>;
};

/** @param dir made if it is missing */
export function buildCache(dir: string): BuildCache {
  /** By name: an article has two addresses, and both are compressed at once. */
  const running = new Map<string, Promise<Buffer>>();

  async function readOrMake(name: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const file = join(dir, name);
    try {
      const bytes = await readFile(file);
      const now = new Date();
      await utimes(file, now, now);
      return bytes;
    } catch {
      const bytes = await make();
      await mkdir(dir, { recursive: true });
      // Two builds may run at once: whoever renames last wins, and both wrote the same bytes.
      const draft = `${file}.${randomUUID()}`;
      await writeFile(draft, bytes);
      await rename(draft, file);
      return bytes;
    }
  }

  return {
    keep(name, make) {
      const result = running.get(name) ?? readOrMake(name, make);
      running.set(name, result);
      return result;
    },
    async prune() {
      const before = Date.now() - keptFor;
      for (const name of await readdir(dir).catch(() => [])) {
        const file = join(dir, name);
        const { mtimeMs } = await stat(file);
        if (mtimeMs < before) await rm(file, { force: true });
      }
    },
  };
}
