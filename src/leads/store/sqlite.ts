import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../../lib/files.ts';
import { userName } from '../../lib/user-name.ts';
import { schemaFor } from './migrations.ts';
import { type Query, type Sql, StoreError, type Value } from './sql.ts';

/** Retries for five seconds while another process holds the file. */
export type Database = Sql & {
  /** For commands and tests only, because it blocks the process. */
  readonly connection: DatabaseSync;
  /** Absolute. */
  readonly path: string;
  /** Waits for work in flight. May be called twice. */
  close(): Promise<void>;
};

/** How long to retry while another process holds the file. */
const lockTimeoutMs = 5_000;
const retryMs = 20;
/** SQLite itself waits this long, and blocks the process. */
const busyTimeoutMs = 10;

/** SQLITE_BUSY. */
const busy = 5;

export function databasePath(dataDir: string): string {
  return join(resolve(dataDir), 'korob.sqlite');
}

/**
 * Creates and upgrades the database; several processes may do so at once. Only its owner may read the file.
 *
 * @param dataDir created if missing, then for its owner only
 */
export function openDatabase(dataDir: string, steps = schemaFor('sqlite')): Database {
  const path = databasePath(dataDir);
  let connection: DatabaseSync | undefined;
  try {
    makeDataDir(resolve(dataDir));
    makeFile(path);
    closeToOthers(dataDir);
    connection = new DatabaseSync(path, { timeout: lockTimeoutMs, enableForeignKeyConstraints: true });
    switchToLog(connection);
    // FULL: every commit waits for the disk; on macOS, the fullfsync pair also flushes its cache.
    connection.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON');
    // Overwrites deleted data.
    connection.exec('PRAGMA secure_delete = ON');
    migrate(connection, steps);
    connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    return new SqliteConnection(connection, path);
  } catch (error) {
    connection?.close();
    throw storeError(`The database ${path} in DATA_DIR cannot be opened`, error);
  }
}

/** SQLite would make the file world-readable; its journal files inherit the mode. */
function makeFile(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
}

/** An existing folder keeps its mode, because it may be a home or `/srv`. */
function makeDataDir(path: string): void {
  if (existsSync(path)) return;
  makeFolder(path);
  chmodSync(path, 0o700);
}

function closeToOthers(dataDir: string): void {
  for (const path of openFiles(dataDir)) {
    try {
      chmodSync(path, statSync(path).mode & 0o700);
    } catch {
      // The file belongs to another user; `doctor` reports it.
    }
  }
}

/** @returns files of the database, absolute, that other users of the machine may read or write */
export function openFiles(dataDir: string): string[] {
  const path = databasePath(dataDir);
  return [path, `${path}-wal`, `${path}-shm`].filter((one) => isOpen(one, 0o077));
}

/** Whether other users may put other files in place of the database. */
export function isWritableByOthers(dataDir: string): boolean {
  return isOpen(resolve(dataDir), 0o022);
}

function isOpen(path: string, rights: number): boolean {
  return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & rights) !== 0;
}

/** Waits for other processes, because SQLite's own timeout does not apply here. */
function switchToLog(connection: DatabaseSync): void {
  const until = performance.now() + lockTimeoutMs;
  for (;;) {
    try {
      const mode = connection.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode;
      if (mode === 'wal') return;
      throw new StoreError('its file system has no shared memory, which SQLite needs; put DATA_DIR on a local disk');
    } catch (error) {
      if (codeOf(error) !== busy || performance.now() > until) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs);
  }
}

function migrate(connection: DatabaseSync, steps: readonly string[]): void {
  const version = () => Number(connection.prepare('PRAGMA user_version').get()?.user_version);
  if (version() >= steps.length) return;
  connection.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have upgraded the file meanwhile.
    const from = version();
    for (const step of steps.slice(from)) connection.exec(step);
    connection.exec(`PRAGMA user_version = ${Math.max(from, steps.length)}; COMMIT`);
  } catch (error) {
    rollBack(connection);
    throw error;
  }
}

/** Its public functions are bound, because callers pass them on without the object. */
class SqliteConnection implements Database {
  readonly dialect = 'sqlite';
  readonly connection: DatabaseSync;
  readonly path: string;
  private readonly openedFile: string | undefined;
  private lastWork: Promise<unknown> = Promise.resolve();

  constructor(connection: DatabaseSync, path: string) {
    this.connection = connection;
    this.path = path;
    this.openedFile = identity(path);
  }

  readonly query: Query = (text, values) =>
    this.retryWhileBusy(() => {
      this.checkFile();
      return this.run(text, values);
    });

  readonly transact = <T>(work: (query: Query) => Promise<T>): Promise<T> =>
    this.retryWhileBusy(() => this.commit(work));

  readonly forget = (): Promise<void> => this.retryWhileBusy(() => forget(this.connection));

  readonly close = (): Promise<void> =>
    this.inTurn(() => {
      if (this.connection.isOpen) this.connection.close();
    });

  private async retryWhileBusy<T>(work: () => T | Promise<T>): Promise<T> {
    const until = performance.now() + lockTimeoutMs;
    for (;;) {
      try {
        return await this.inTurn(work);
      } catch (error) {
        if (codeOf(error) !== busy || performance.now() > until) {
          throw storeError(`The database ${this.path} cannot be used`, error);
        }
      }
      await sleep(retryMs);
    }
  }

  /** One at a time, because anything between BEGIN and COMMIT joins the transaction. */
  private inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const turn = this.lastWork.then(work);
    this.lastWork = turn.catch(() => undefined);
    return turn;
  }

  private async commit<T>(work: (query: Query) => Promise<T>): Promise<T> {
    try {
      this.checkFile();
      this.connection.exec('BEGIN IMMEDIATE');
      const result = await work(async (text, values) => this.run(text, values));
      this.connection.exec('COMMIT');
      return result;
    } catch (error) {
      rollBack(this.connection);
      throw error;
    }
  }

  /** SQLite keeps writing to a deleted file without an error, and loses the data. */
  private checkFile(): void {
    if (identity(this.path) === this.openedFile) return;
    throw new StoreError('it was moved or deleted while it was open; put it back and restart the server');
  }

  private run<R extends object>(text: string, values: readonly Value[] = []): R[] {
    const named = Object.fromEntries(values.map((value, index) => [index + 1, value]));
    return this.connection.prepare(text).all(named) as R[];
  }
}

/** Longer reads, such as backups, are not waited for, because they would block all writes. */
const readerTimeoutMs = 200;

function forget(connection: DatabaseSync): void {
  // SQLite leaves copies of rows that it moves to other pages, which secure_delete misses.
  connection.exec(`VACUUM; PRAGMA busy_timeout = ${readerTimeoutMs}`);
  const log = connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
  connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  if (log?.busy === 0) return;
  throw new StoreError('another process still reads the erased data; repeat the command when that process has ended');
}

function identity(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}

function rollBack(connection: DatabaseSync): void {
  // After the worst errors SQLite has already rolled back.
  if (connection.isOpen && connection.isTransaction) connection.exec('ROLLBACK');
}

const unwritable = `the user ${userName()} cannot write there; let them write to the file and its folder, or name another place`;
const missing = 'its folder is not there; make it, or name another place';
const failing = 'the disk reported an error; look into the kernel log and check the disk and its limits';
const full = 'the disk is full; free some space';

/** By primary result code of SQLite, or by code of the system: the cause and the remedy. */
const explanations: Explanations = {
  [busy]: 'another process holds it; find that process and end it',
  8: unwritable,
  10: failing,
  11: 'its file is damaged; stop the server, keep the file, restore a backup',
  13: full,
  14: unwritable,
  26: 'the file is no database; move it away or correct DATA_DIR',
  EACCES: unwritable,
  EPERM: unwritable,
  EROFS: unwritable,
  ENOENT: missing,
  ENOTDIR: missing,
  ENOSPC: full,
  EDQUOT: full,
  EIO: failing,
};

type Explanations = Readonly<Record<number | string, string>>;

/**
 * @param what a sentence without a full stop
 * @param own replace those of SQLite's and the system's codes
 */
export function storeError(what: string, cause: unknown, own: Explanations = {}): StoreError {
  const code = codeOf(cause);
  const why = own[code] ?? explanations[code] ?? (Error.isError(cause) ? cause.message : String(cause));
  return new StoreError(`${what}: ${why}`, { cause });
}

/** The primary result code of SQLite, or the code of the system; empty for other errors. */
function codeOf(error: unknown): number | string {
  if (!Error.isError(error)) return '';
  if ('errcode' in error) return Number(error.errcode) & 0xff;
  return 'code' in error ? String(error.code) : '';
}
