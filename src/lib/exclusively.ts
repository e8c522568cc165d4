import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';

const pollIntervalMs = 20;
/** SQLITE_BUSY: another connection holds the lock. */
const busy = 5;

/**
 * Never runs the work of two callers at once, in this or other processes. SQLite holds the lock, and releases it when the
 * process ends, even by a kill.
 *
 * @param file is created; its folder must exist
 */
export async function exclusively<T>(file: string, work: () => Promise<T>): Promise<T> {
  const database = new DatabaseSync(file);
  try {
    while (!locks(database)) await setTimeout(pollIntervalMs);
    return await work();
  } finally {
    database.close();
  }
}

function locks(database: DatabaseSync): boolean {
  try {
    database.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (Error.isError(error) && 'errcode' in error && error.errcode === busy) return false;
    throw error;
  }
}
