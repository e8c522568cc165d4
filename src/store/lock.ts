import { DatabaseSync } from 'node:sqlite';

/** A lock that processes share, and that goes with the process whatever ends it. */
export type Lock = {
  /** Does something while nobody else has the lock; otherwise it is left undone. */
  alone(work: () => void): void;
  close(): void;
};

/**
 * Shares a lock with others until it is closed. It is SQLite's own lock on an empty database, which the system gives
 * back for a process that was killed.
 *
 * @param patience milliseconds for which somebody may have it alone
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
        // Somebody else is at work; there will be another time.
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
