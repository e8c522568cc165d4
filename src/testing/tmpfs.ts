import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of its own, so that a disk can be full without harm to others. */
export type SmallDisk = { folder: string; remove(): void };

/**
 * Mounts a small file system in memory, which only root may.
 *
 * @param megabytes its size
 * @returns the reason if it cannot be mounted
 */
export function mountSmallDisk(megabytes: number): SmallDisk | string {
  const folder = mkdtempSync(join(tmpdir(), 'korob-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'korob-test', folder], {
      stdio: 'pipe',
    });
  } catch (error) {
    rmSync(folder, { recursive: true });
    return Error.isError(error) ? error.message.trim() : String(error);
  }
  return {
    folder,
    remove() {
      // Lazily, because a process may not have let go of it yet.
      execFileSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true });
    },
  };
}
