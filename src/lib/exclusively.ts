import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { minuteMs } from './durations.ts';

const pollIntervalMs = 20;
const noticeMs = 1_000;
/** SQLITE_BUSY: another connection holds the lock. */
const busy = 5;

export type Waiting = {
  /** Called after a second. */
  onWait?: () => void;
  maxWaitMs?: number;
};

/**
 * Never runs the work of two callers at once, in this or other processes. SQLite holds the lock, and releases it when the
 * process ends, even by a kill.
 *
 * @param file is created; its folder must exist
 * @throws if another process does not release the lock
 */
export async function exclusively<T>(file: string, work: () => Promise<T>, waiting: Waiting = {}): Promise<T> {
  const database = new DatabaseSync(file);
  try {
    await lock(database, file, waiting);
    return await work();
  } finally {
    database.close();
  }
}

async function lock(database: DatabaseSync, file: string, { onWait, maxWaitMs = minuteMs }: Waiting): Promise<void> {
  const notice = setTimeout(() => onWait?.(), noticeMs);
  const end = performance.now() + maxWaitMs;
  try {
    while (!locks(database)) {
      if (performance.now() > end) throw new Error(`another process holds ${file}; "fuser ${file}" names it, end it`);
      await sleep(pollIntervalMs);
    }
  } finally {
    clearTimeout(notice);
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
