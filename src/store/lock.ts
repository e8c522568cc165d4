import { DatabaseSync } from 'node:sqlite';

/** A lock that processes share, and that goes with the process, even if that is killed. */
export type Lock = {
  /** Does something while no other process has the lock; otherwise it is left undone. */
  alone(work: () => void): void;
  close(): void;
};

/**
 * Shares a lock with others until it is closed. It is SQLite's own lock on an empty database, which the system gives
 * back for a process that was killed.
 *
 * @param patience milliseconds for which a process may have it alone
 */
export function openLock(file: string, patience: number): Lock {
  const connection = new DatabaseSync(file, { timeout: patience });
  const share = () => connection.exec('BEGIN; SELECT count(*) FROM sqlite_schema;');
  share();
  return {
    alone(work) {
      connection.exec('COMMIT; PRAGMA busy_timeout = 0;');
      try {
        connection.exec('BEGIN EXCLUSIVE');
      } catch {
        // Another process is at work; there will be another time.
        connection.exec(`PRAGMA busy_timeout = ${patience}`);
        return share();
      }
      try {
        work();
      } finally {
        connection.exec(`COMMIT; PRAGMA busy_timeout = ${patience};`);
        share();
      }
    },
    close() {
      if (connection.isOpen) connection.close();
    },
  };
}
