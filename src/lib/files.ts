import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Sorted, so the order is the same on every machine. */
export function filesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

export function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Readers see the old bytes or the new ones, also after a power cut. */
export function replaceFile(path: string, data: string | Uint8Array, mode = 0o666): void {
  const temporary = join(dirname(path), `.${randomUUID()}`);
  try {
    writeFileSync(temporary, data, { flush: true, mode });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  sync(dirname(path));
}

/** Writes the present time to a file, for `markedAt`. */
export function writeTimestamp(path: string): void {
  replaceFile(path, `${new Date().toISOString()}\n`);
}

/** When `markTime` last wrote the file; `undefined` if it never did. */
export function timestampOf(path: string): Date | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtime;
}

/** Free space on the disk of a folder. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/**
 * Survives a power cut. Other users may pass through it. `mkdirSync` with `recursive` never returns
 * below `/proc`.
 *
 * @param path absolute
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o711 });
  } catch (error) {
    // Another process may have made it.
    if (!existsSync(path)) throw error;
  }
  sync(dirname(path));
}
