import { once } from 'node:events';
import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type Sql, step, type Values, type Work } from './sql.ts';
import { StoreError } from './store-error.ts';
import { busy, resultCode, retryMs, unlessHeld, waitingForOthers } from './waiting.ts';

/**
 * The one file that holds everything a visitor sends. While another process holds it, what is asked is asked again and
 * again, and a transaction begun anew, for five seconds; other visitors do not wait.
 */
export type Database = Sql & {
  /** For commands and tests; a server uses `ask`, `run` and `transact`, which keep no other visitor waiting. */
  readonly connection: DatabaseSync;
  /** Absolute path of the file. */
  readonly path: string;
  /** Closes the file; closing it twice is harmless. */
  close(): void;
};

/** Milliseconds for which a file that another process holds is tried. */
const patience = 5_000;
/** Milliseconds that SQLite itself waits, and every visitor with it. */
const standstill = 10;
/** A reader that goes on for longer, such as a backup, is not waited for: meanwhile no process can write. */
const readerTimeoutMs = 200;

/**
 * What the database is made of: entry N leads from version N to version N + 1.
 * An entry that was ever released must never change; add another one instead.
 */
export const migrations: readonly string[] = [
  `
  -- AUTOINCREMENT, so that the number of an erased lead is never given to another.
  -- No CHECK on the state: SQLite cannot alter one, and later versions add states.
  CREATE TABLE lead (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    receipt TEXT NOT NULL UNIQUE,
    key TEXT NOT NULL,
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    state TEXT NOT NULL,
    received_at TEXT NOT NULL,
    preset TEXT NOT NULL,
    name TEXT,
    phone TEXT NOT NULL,
    phone_typed TEXT NOT NULL,
    message TEXT,
    page TEXT NOT NULL,
    attribution TEXT NOT NULL CHECK (json_valid(attribution)),
    consent_version TEXT NOT NULL,
    consent_hash TEXT NOT NULL,
    signals TEXT NOT NULL CHECK (json_valid(signals)),
    UNIQUE (key, digest)
  ) STRICT;
  CREATE INDEX lead_state ON lead (state);

  CREATE TABLE broadcast (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    status INTEGER NOT NULL CHECK (status IN (0, 1)),
    url TEXT NOT NULL
  ) STRICT;

  CREATE TABLE heartbeat (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at TEXT NOT NULL,
    ballast BLOB NOT NULL
  ) STRICT;
  `,
  `
  ALTER TABLE lead ADD COLUMN taken_at TEXT;
  ALTER TABLE lead ADD COLUMN taken_by TEXT;
  -- When one more channel is told if nobody has taken the lead by then, and how many were.
  ALTER TABLE lead ADD COLUMN escalate_at TEXT;
  ALTER TABLE lead ADD COLUMN escalation INTEGER NOT NULL DEFAULT 0;
  -- When all but the evidence of consent was removed.
  ALTER TABLE lead ADD COLUMN stripped_at TEXT;
  -- Nobody could take these, so somebody was reading the list.
  UPDATE lead SET state = 'taken', taken_at = received_at, taken_by = 'list' WHERE state = 'new';
  CREATE INDEX lead_phone ON lead (phone, received_at);
  CREATE INDEX lead_words ON lead (substr(message, 1, 40), received_at) WHERE message IS NOT NULL;
  CREATE INDEX lead_received_at ON lead (received_at);
  CREATE INDEX lead_escalate_at ON lead (escalate_at) WHERE escalate_at IS NOT NULL;

  -- A claimed delivery is due again when its lease ends.
  CREATE TABLE delivery (
    id TEXT PRIMARY KEY,
    lead INTEGER NOT NULL REFERENCES lead (number) ON DELETE CASCADE,
    channel TEXT NOT NULL,
    reason TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    due_at TEXT NOT NULL,
    ended_at TEXT,
    error TEXT
  ) STRICT;
  CREATE INDEX delivery_lead ON delivery (lead);
  CREATE INDEX delivery_due ON delivery (channel, due_at) WHERE state = 'waiting';
  CREATE INDEX delivery_open ON delivery (state, channel) WHERE state <> 'delivered';

  CREATE TABLE consent_text (
    hash TEXT PRIMARY KEY,
    version TEXT NOT NULL,
    text TEXT NOT NULL
  ) STRICT;

  CREATE TABLE secret (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    value BLOB NOT NULL CHECK (length(value) = 32)
  ) STRICT;
  `,
  `
  ALTER TABLE lead ADD COLUMN calculation TEXT;
  `,
  `
  -- When the clock was last believed.
  CREATE TABLE clock (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at TEXT NOT NULL
  ) STRICT;
  INSERT INTO clock (id, at) SELECT 1, received_at FROM lead ORDER BY received_at DESC LIMIT 1;
  `,
  `
  -- What signs links, one for each day. A link names the day by its end, so those that the secret has signed go on.
  CREATE TABLE take_key (
    day TEXT PRIMARY KEY,
    value BLOB NOT NULL CHECK (length(value) = 32)
  ) STRICT;
  INSERT INTO take_key (day, value)
  SELECT date('now', -ago.value || ' days'), secret.value FROM secret, json_each('[0, 1, 2, 3, 4]') AS ago;
  DROP TABLE secret;
  `,
  `
  -- The day of the last digest of quarantine, and the newest lead in it. Digests begin with what comes from now on.
  CREATE TABLE digest (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    day TEXT NOT NULL,
    lead INTEGER NOT NULL
  ) STRICT;
  INSERT INTO digest (id, day, lead) SELECT 1, '', coalesce(max(number), 0) FROM lead;
  `,
];

/** Path of the database inside `DATA_DIR`. */
export function databasePath(dataDir: string): string {
  return join(resolve(dataDir), 'korob.sqlite');
}

/**
 * Opens the database in `dataDir`, creating and upgrading what is missing. Several processes may
 * do this at once. Only the owner may read the file, because it holds personal data.
 *
 * @param dataDir created if it does not exist; other users may pass through it, such as nginx's to the editions
 * @param schema the migrations to apply, in order
 * @throws {StoreError} when the file cannot be used, or was written by a newer version of this program
 */
export function openDatabase(dataDir: string, schema: readonly string[] = migrations): Database {
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
      migrate(opened, schema);
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
    const above = openSync(dirname(folder), 'r');
    fsyncSync(above);
    closeSync(above);
  }
}

/** SQLite would make the file readable for everyone; the files beside it take over its mode. */
function makeFile(path: string): void {
  if (existsSync(path)) return;
  closeSync(openSync(path, 'a', 0o600));
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

function migrate(connection: DatabaseSync, schema: readonly string[]): void {
  while (version(connection) !== schema.length) {
    connection.exec('BEGIN IMMEDIATE');
    try {
      // Read again: another process may have upgraded the file while this one waited for the lock.
      const current = version(connection);
      if (current > schema.length) {
        throw new StoreError(
          `it is at version ${current} and this program knows version ${schema.length}; start the newer program again`,
        );
      }
      const step = schema[current];
      if (step !== undefined) connection.exec(`${step}; PRAGMA user_version = ${current + 1};`);
      connection.exec('COMMIT');
    } catch (error) {
      rollBack(connection);
      throw error;
    }
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
        // Where rows have moved from one page to another, SQLite leaves what they said in the first one, out of
        // reach of secure_delete. Only writing every page anew gets rid of it.
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

/** On a thread of its own, with a connection of its own. */
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

/** Tells a file from another one that was put in its place. */
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
  return new StoreError(`${what}: ${why}`, { cause, ofValues: resultCode(cause) === 19 });
}
