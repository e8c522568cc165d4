import { statSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../lib/files.ts';
import { databasePath } from './sqlite.ts';

/** A file that each backup writes again, wherever the copy is kept. */
export function backupMark(dataDir: string): string {
  return join(dataDir, 'last-backup');
}

export function markBackup(dataDir: string): void {
  replaceFile(backupMark(dataDir), `${new Date().toISOString()}\n`);
}

/** @returns `undefined` if there was none */
export function backedUpAt(dataDir: string): Date | undefined {
  return statSync(backupMark(dataDir), { throwIfNoEntry: false })?.mtime;
}

/** When the newest backup was made, or the database if there was none. */
export function uncopiedSince(dataDir: string): Date {
  return backedUpAt(dataDir) ?? statSync(databasePath(dataDir)).birthtime;
}
