import { once } from 'node:events';
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { sync } from '../../lib/files.ts';
import { type Sql, step, type Values, type Work } from '../../lib/sql.ts';
import { StoreError } from '../../lib/store-error.ts';
import { schemaFor } from './schema.ts';
import { busy, resultCode, retryMs, unlessHeld, waitingForOthers } from './waiting.ts';

/** While another process holds the file, a statement or transaction is tried again for five seconds, without blocking. */
export type Database = Sql & {
  /** For commands and tests: it blocks the process. */
  readonly connection: DatabaseSync;
  /** Absolute. */
  readonly path: string;
  /** May be called twice. */
  close(): void;
};

/** Milliseconds for which a file that another process holds is tried. */
const patience = 5_000;
/** Milliseconds that SQLite itself waits, which blocks the process. */
const standstill = 10;
/** A longer read, such as a backup, is not waited for: meanwhile no process can write. */
const readerTimeoutMs = 200;

/** Path of the database inside `DATA_DIR`. */
export function databasePath(dataDir: string): string {
  return join(resolve(dataDir), 'korob.sqlite');
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
    const file = identity(path);
    const opened = new DatabaseSync(path, { timeout: patience, enableForeignKeyConstraints: true });
    connection = opened;
    waitingForOthers(patience, () => {
      setDurability(opened);
      migrate(opened, steps);
    });
    // A backup that is restored just now takes the place of a file that is already open here.
    if (identity(path) !== file) throw new StoreError('it was replaced meanwhile; start again');
    opened.exec(`PRAGMA busy_timeout = ${standstill}`);
    return wrap(opened, path, file);
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
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (Error.isError(error) && 'code' in error && error.code === 'EEXIST') return;
    throw error;
  }
  chmodSync(path, 0o600);
}

function setDurability(connection: DatabaseSync): void {
  const mode = connection.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode;
  if (mode !== 'wal') {
    throw new StoreError('its file system has no shared memory, which SQLite needs; put DATA_DIR on a local disk');
  }
  // FULL: every commit waits for the disk. The fullfsync pair makes macOS wait for the medium, too.
  connection.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;');
  // What is erased is overwritten, so that it cannot be read from free space.
  connection.exec('PRAGMA secure_delete = ON;');
}

/** In one transaction, so that a step that fails leaves the database as it was. */
function migrate(connection: DatabaseSync, steps: readonly string[]): void {
  if (version(connection) >= steps.length) return;
  connection.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have upgraded the file while this one waited for the lock.
    const from = version(connection);
    for (const step of steps.slice(from)) connection.exec(step);
    connection.exec(`PRAGMA user_version = ${Math.max(from, steps.length)}; COMMIT`);
  } catch (error) {
    rollBack(connection);
    throw error;
  }
}

function version(connection: DatabaseSync): number {
  return Number(connection.prepare('PRAGMA user_version').get()?.user_version);
}

function wrap(connection: DatabaseSync, path: string, file: string | undefined): Database {
  /** By text. To make one takes longer than to run it. */
  const statements = new Map<string, StatementSync>();

  function all<R extends object>(text: string, values: Values = {}): R[] {
    const statement = statements.get(text) ?? connection.prepare(text);
    statements.set(text, statement);
    return statement.all(values) as R[];
  }

  function commit<T>(work: () => Work<T>): T {
    try {
      // SQLite goes on writing into a deleted file without a word, and all of it is lost at the end.
      if (identity(path) !== file) {
        throw new StoreError(`${path} was moved or deleted while it was open; put it back and restart the server`);
      }
      connection.exec('BEGIN IMMEDIATE');
      const steps = work();
      let result = steps.next();
      while (!result.done) result = steps.next(all(...result.value));
      connection.exec('COMMIT');
      return result.value;
    } catch (error) {
      rollBack(connection);
      throw error;
    }
  }

  async function patiently<T>(failure: string, work: () => T): Promise<T> {
    try {
      return await unlessHeld(patience, work);
    } catch (error) {
      throw storeError(failure, error);
    }
  }

  const transact = <T>(work: () => Work<T>) => patiently('Nothing can be written to the database', () => commit(work));

  return {
    dialect: 'sqlite',
    connection,
    path,
    ask: (text, values) => patiently('The database cannot be read', () => all(text, values)),
    run: (text, values) => transact(() => step(text, values)),
    transact,
    async forget() {
      try {
        // SQLite leaves a copy where it moves a row to another page, and secure_delete does not reach it.
        await rewrite(path);
        await emptyLog(connection, path);
      } catch (error) {
        throw storeError('What was erased may still be in free space of the database', error);
      }
    },
    close() {
      if (connection.isOpen) connection.close();
    },
  };
}

/** On a thread of its own, because it takes seconds. */
async function rewrite(path: string): Promise<void> {
  const script = `
    const { workerData } = require('node:worker_threads');
    const { DatabaseSync } = require('node:sqlite');
    const connection = new DatabaseSync(workerData, { timeout: ${patience} });
    connection.exec('PRAGMA secure_delete = ON; VACUUM');
    connection.close();`;
  await once(new Worker(script, { eval: true, workerData: path }), 'exit');
}

async function emptyLog(connection: DatabaseSync, path: string): Promise<void> {
  const until = performance.now() + readerTimeoutMs;
  while (connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy !== 0) {
    if (performance.now() > until) {
      throw new StoreError(`${path}-wal has it while another process is reading; do it again when that has ended`);
    }
    await sleep(retryMs);
  }
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
  [busy]: 'another process has held it for more than 5 seconds; find that process and end it',
  8: 'it is read-only; let the user of this process write to the file and its folder',
  10: 'the disk reported an error; look into the kernel log and check the disk and its limits',
  11: 'its file is damaged; stop the server, keep the file, restore a backup',
  13: 'the disk is full; free some space',
  14: 'the file cannot be opened; let the user of this process write to the file and its folder',
  26: 'the file is no database; move it away or correct DATA_DIR',
};

/**
 * What went wrong, why, and what to do.
 *
 * @param what a sentence without a full stop
 * @param cause what was caught; kept as the `cause`
 */
export function storeError(what: string, cause: unknown): StoreError {
  const why = explanations[resultCode(cause)] ?? (Error.isError(cause) ? cause.message : String(cause));
  // 19: a constraint of a table.
  return new StoreError(`${what}: ${why}`, { cause, alone: resultCode(cause) === 19 });
}
