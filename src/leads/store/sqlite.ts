import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { sync } from '../../lib/files.ts';
import type { Query, Sql, Value } from '../../lib/sql.ts';
import { StoreError } from '../../lib/store-error.ts';
import { schemaFor } from './schema.ts';

/** While another process holds the file, work is tried again for five seconds, without blocking. */
export type Database = Sql & {
  /** For commands and tests: it blocks the process. */
  readonly connection: DatabaseSync;
  /** Absolute. */
  readonly path: string;
  /** Waits for what was begun. May be called twice. */
  close(): Promise<void>;
};

/** Milliseconds for which a file that another process holds is tried, and between two tries. */
const patience = 5_000;
const retryMs = 20;
/** Milliseconds that SQLite itself waits for others, which blocks the process. */
const blockingMs = 10;

/** SQLite's primary result code for a file that another process holds. */
const busy = 5;

/** Path of the database inside `DATA_DIR`. */
export function databasePath(dataDir: string): string {
  return join(resolve(dataDir), 'korob.sqlite');
}

/** Where it is after its leads were moved to PostgreSQL. */
export function movedPath(dataDir: string): string {
  return `${databasePath(dataDir)}.moved`;
}

/**
 * Opens the database in `dataDir`, creating and upgrading what is missing. Several processes may
 * do this at once. Only the owner may read the file, because it holds personal data.
 *
 * @param dataDir created if it does not exist; other users may pass through it, such as nginx's
 * @throws {StoreError} when the file cannot be used
 */
export function openDatabase(dataDir: string, steps = schemaFor('sqlite')): Database {
  const path = databasePath(dataDir);
  let connection: DatabaseSync | undefined;
  try {
    makeFolder(resolve(dataDir));
    makeFile(path);
    connection = new DatabaseSync(path, { timeout: patience, enableForeignKeyConstraints: true });
    switchToLog(connection);
    // FULL: every commit waits for the disk. The fullfsync pair makes macOS wait for the medium, too.
    connection.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON');
    // What is erased is overwritten, so that it cannot be read from free space.
    connection.exec('PRAGMA secure_delete = ON');
    migrate(connection, steps);
    connection.exec(`PRAGMA busy_timeout = ${blockingMs}`);
    return wrap(connection, path);
  } catch (error) {
    connection?.close();
    throw storeError(`The database ${path} cannot be opened`, error);
  }
}

function makeFolder(dataDir: string): void {
  const first = mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  if (first === undefined) return;
  // A new folder survives a power cut only once its entry in the folder above is on disk.
  for (let folder = dataDir; folder.length >= resolve(first).length; folder = dirname(folder)) {
    sync(dirname(folder));
  }
}

/** SQLite would make the file readable for everyone; the files beside it take over its mode. */
function makeFile(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
}

/** Waits for other processes, which SQLite's own timeout does not do here. */
function switchToLog(connection: DatabaseSync): void {
  const until = performance.now() + patience;
  for (;;) {
    try {
      const mode = connection.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode;
      if (mode === 'wal') return;
      throw new StoreError('its file system has no shared memory, which SQLite needs; put DATA_DIR on a local disk');
    } catch (error) {
      if (resultCode(error) !== busy || performance.now() > until) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs);
  }
}

/** In one transaction, so that a step that fails leaves the database as it was. */
function migrate(connection: DatabaseSync, steps: readonly string[]): void {
  const version = () => Number(connection.prepare('PRAGMA user_version').get()?.user_version);
  if (version() >= steps.length) return;
  connection.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have upgraded the file while this one waited for the lock.
    const from = version();
    for (const step of steps.slice(from)) connection.exec(step);
    connection.exec(`PRAGMA user_version = ${Math.max(from, steps.length)}; COMMIT`);
  } catch (error) {
    rollBack(connection);
    throw error;
  }
}

function wrap(connection: DatabaseSync, path: string): Database {
  const opened = identity(path);
  let last: Promise<unknown> = Promise.resolve();

  /** One after another, because whatever runs between BEGIN and COMMIT would be part of the transaction. */
  function inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  }

  async function patiently<T>(work: () => T | Promise<T>): Promise<T> {
    const until = performance.now() + patience;
    for (;;) {
      try {
        return await inTurn(work);
      } catch (error) {
        if (resultCode(error) !== busy || performance.now() > until) {
          throw storeError(`The database ${path} cannot be used`, error);
        }
      }
      await sleep(retryMs);
    }
  }

  function all<R extends object>(text: string, values: readonly Value[] = []): R[] {
    const named = Object.fromEntries(values.map((value, index) => [index + 1, value]));
    return connection.prepare(text).all(named) as R[];
  }

  /** SQLite goes on writing into a deleted file without a word, and all of it is lost at the end. */
  function checkFile(): void {
    if (identity(path) === opened) return;
    throw new StoreError('it was moved or deleted while it was open; put it back and restart the server');
  }

  async function commit<T>(work: (query: Query) => Promise<T>): Promise<T> {
    try {
      checkFile();
      connection.exec('BEGIN IMMEDIATE');
      const result = await work(async (text, values) => all(text, values));
      connection.exec('COMMIT');
      return result;
    } catch (error) {
      rollBack(connection);
      throw error;
    }
  }

  return {
    dialect: 'sqlite',
    connection,
    path,
    query: (text, values) =>
      patiently(() => {
        checkFile();
        return all(text, values);
      }),
    transact: (work) => patiently(() => commit(work)),
    forget: () => patiently(() => forget(connection)),
    close: () =>
      inTurn(() => {
        if (connection.isOpen) connection.close();
      }),
  };
}

/** Milliseconds; a longer read, such as a backup, is not waited for: meanwhile no process can write. */
const readerTimeoutMs = 200;

function forget(connection: DatabaseSync): void {
  // SQLite leaves a copy where it moves a row to another page, and secure_delete does not reach it.
  connection.exec(`VACUUM; PRAGMA busy_timeout = ${readerTimeoutMs}`);
  const log = connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
  connection.exec(`PRAGMA busy_timeout = ${blockingMs}`);
  if (log?.busy === 0) return;
  throw new StoreError('another process is reading what was erased; do it again when that has ended');
}

/** Differs if another file was put in its place. */
function identity(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}

function rollBack(connection: DatabaseSync): void {
  // SQLite itself has rolled back already after the worst errors.
  if (connection.isOpen && connection.isTransaction) connection.exec('ROLLBACK');
}

/** By SQLite's primary result code: what it means for an operator, and what to do. */
const explanations: Readonly<Record<number, string>> = {
  [busy]: 'another process holds it; find that process and end it',
  8: 'it is read-only; let the user of this process write to the file and its folder',
  10: 'the disk reported an error; look into the kernel log and check the disk and its limits',
  11: 'its file is damaged; stop the server, keep the file, restore a backup',
  13: 'the disk is full; free some space',
  14: 'the file cannot be opened; let the user of this process write to the file and its folder',
  26: 'the file is no database; move it away or correct DATA_DIR',
};

/**
 * @param what a sentence without a full stop
 * @param cause what was caught; kept as the `cause`
 */
export function storeError(what: string, cause: unknown): StoreError {
  const why = explanations[resultCode(cause)] ?? (Error.isError(cause) ? cause.message : String(cause));
  return new StoreError(`${what}: ${why}`, { cause });
}

/** The primary result code of an error of SQLite; 0 for any other. */
function resultCode(error: unknown): number {
  return Error.isError(error) && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
}
