import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync, gunzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { busy, resultCode, waitingForOthers } from '../database/waiting.ts';
import { sync } from '../lib/files.ts';
import { type Hash, hashOf } from '../lib/hash.ts';
import { openLock } from './lock.ts';

/*
 * One SQLite file holds every edition. Bytes lie in it once for all editions, under their own hash, and what a step has
 * made lies under a hash of all that it was made of. So an edition is a list of hashes, nothing is made twice, and what
 * has been damaged is noticed when it is read and made again.
 */

/**
 * How a visitor may get a body: of those that are packed with a dictionary, each is for the one of that hash. What only
 * this program reads is `plain`, and `zstd` once there was time for it.
 */
export type Encoding = 'br' | 'gzip' | 'identity' | `dcz ${Hash}`;
type StoredEncoding = Encoding | 'plain' | 'zstd';

/** Bytes as they are stored. */
export type Stored = { encoding: Encoding; bytes: Buffer };

/** What editors have published: the content as it was then. Numbers count up. */
export type Publication = { number: number; snapshot: Hash; at: string };

/** One rendering of a published content. Times are ISO 8601, UTC. */
export type EditionRow = {
  /** By what code, for which site and third parties it was rendered. */
  variant: Hash;
  snapshot: Hash;
  /** From when on it is true. */
  starts: string;
  /** From when on the same content makes another one; `null` if it never does. */
  until: string | null;
  /** Its index, a blob. */
  root: Hash;
  /** When it was made. */
  made: string;
};

/** What has to stay: blobs, memos and editions by their hashes, and publications by the hashes of their contents. */
export type Needed = Readonly<Record<'blobs' | 'memos' | 'roots' | 'snapshots', ReadonlySet<Hash>>>;

/** What is kept; of a file that shipped with the code, only the reading half works. */
export type EditionStore = {
  /** What was put under this hash; `undefined` if there is no such thing, or it is damaged. */
  bytes(hash: Hash): Buffer | undefined;
  /** A body in the first of these encodings that there is. */
  stored(hash: Hash, encodings: readonly Encoding[]): Stored | undefined;
  /** Every hash under which there are bytes; with an encoding, in this one. */
  hashes(encoding?: Encoding): Set<Hash>;
  /** Those of this very file. */
  ownHashes(): Set<Hash>;
  /** What a step has made of what the key names. */
  memo(key: Hash): string | undefined;
  /** Newest first. */
  publications(): Publication[];
  /** Renderings of a content by one variant, the latest first. */
  editions(variant: Hash, snapshot: Hash): EditionRow[];
  /** Every rendering that this very file has. */
  everyEdition(): EditionRow[];
  /** What one process tells the others. */
  note(name: string): string | undefined;
  /** Differs as soon as another connection has changed anything. */
  version(): number;

  /** Keeps bytes for this program alone. @returns their hash */
  keep(bytes: string | Uint8Array): Hash;
  /** Keeps one encoding of a body; the hash is that of the body as it is. */
  putStored(hash: Hash, stored: Stored): void;
  setMemo(key: Hash, value: string): void;
  setEdition(row: EditionRow): void;
  /** What editors publish from now on. On disk when this returns. */
  publish(snapshot: Hash, at: Date): void;
  /** @param value `undefined` takes the note away */
  setNote(name: string, value: string | undefined): void;
  /**
   * Takes a task that one process at a time may do, for so many milliseconds; its owner may take it again.
   *
   * @returns false if another process has it, or the file cannot be written just now
   */
  lease(task: string, owner: string, milliseconds: number): boolean;
  /** Gives back a task; if the file cannot be written just now, its time runs out. */
  release(task: string, owner: string): void;
  /** Lets others read, and keep, what was written so far: writes gather into transactions of some hundred. */
  flush(): void;
  /**
   * Removes everything but what is needed, unless another process is making something of what is there.
   *
   * @param needed asked for once no other process makes anything
   */
  retain(needed: () => Needed): void;
  /** Hashes of bodies that are compressed in haste, for the best to be made of them. */
  hasty(): Hash[];
  /** Packs what only this program reads, some hundred at a time. @returns how many are left */
  packSome(): number;
  /** Everything that is damaged, by its hash or key; reads all of it. */
  damaged(): Hash[];
  /** Removes all that lies under these hashes and keys. */
  drop(names: readonly Hash[]): void;
  close(): void;
};

const schemaVersion = 1;
const schema = `
  -- Bytes under the hash of what they are without any encoding. "sum" is the hash of the bytes as they stand here.
  CREATE TABLE blob (
    hash TEXT NOT NULL,
    encoding TEXT NOT NULL,
    bytes BLOB NOT NULL,
    sum TEXT NOT NULL,
    PRIMARY KEY (hash, encoding)
  ) STRICT;
  CREATE TABLE memo (key TEXT PRIMARY KEY, value TEXT NOT NULL, sum TEXT NOT NULL) STRICT;
  CREATE TABLE publication (number INTEGER PRIMARY KEY AUTOINCREMENT, snapshot TEXT NOT NULL, at TEXT NOT NULL) STRICT;
  CREATE TABLE edition (
    variant TEXT NOT NULL,
    snapshot TEXT NOT NULL,
    starts TEXT NOT NULL,
    until TEXT,
    root TEXT NOT NULL,
    made TEXT NOT NULL,
    PRIMARY KEY (variant, snapshot, starts)
  ) STRICT;
  CREATE TABLE note (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE lease (task TEXT PRIMARY KEY, owner TEXT NOT NULL, until INTEGER NOT NULL) STRICT;
  PRAGMA user_version = ${schemaVersion};
`;

/** The store cannot be read as one: another program wrote it, or too much of it is damaged. */
export class DamagedStore extends Error {
  override readonly name = 'DamagedStore';
}

type Access = {
  /** `serve`: reads a little at a time. `make`: reads and writes most of it. `ship`: reads a file that is finished. */
  for: 'serve' | 'make' | 'ship';
};

/**
 * Milliseconds that a writer waits for another. Who makes an edition writes until it is made, and others that make one at
 * the same time on a busy machine do so one after the other.
 */
const patienceFor = { serve: 10_000, make: 120_000, ship: 0 };
const writesAtOnce = 512;

/**
 * Opens the file of a store, making it if it is missing.
 *
 * @param below is read where this store has nothing: what shipped with the code
 * @throws {DamagedStore} if it is no such file, or does not hold together
 */
export function openEditionStore(file: string, access: Access, below?: EditionStore): EditionStore {
  if (access.for !== 'ship') mkdirSync(dirname(file), { recursive: true, mode: 0o711 });
  const connection = connect(file, access);
  const patience = patienceFor[access.for];
  const sql = (text: string) => connection.prepare(text);
  const statements = prepare(connection);
  const making = access.for === 'make' && file !== ':memory:' ? openLock(`${file}-making`, patience) : undefined;
  const alone = making?.alone ?? ((work: () => void) => work());
  let gatheredWrites = 0;

  /** A commit for each write would cost more than the writes. */
  function gathered<T>(write: () => T): T {
    if (!connection.isTransaction) begin();
    const result = write();
    gatheredWrites += 1;
    if (gatheredWrites >= writesAtOnce) flush();
    return result;
  }

  function begin(): void {
    try {
      connection.exec('BEGIN IMMEDIATE');
    } catch (error) {
      if (resultCode(error) !== busy) throw error;
      const told = `Another process has been writing to ${file} for ${patience / 1000} seconds; try again when it is done.`;
      throw new Error(told, { cause: error });
    }
  }

  function flush(): void {
    gatheredWrites = 0;
    if (connection.isTransaction) connection.exec('COMMIT');
  }

  /** Writes now or not at all: a server cannot wait for others that write. */
  function atOnce<T>(write: () => T): T | undefined {
    flush();
    connection.exec('PRAGMA busy_timeout = 0');
    const result = tolerant(write, undefined);
    connection.exec(`PRAGMA busy_timeout = ${patience}`);
    return result;
  }

  function get(hash: Hash, encoding: StoredEncoding): Buffer | undefined {
    const row = tolerant(() => statements.blob.get(hash, encoding), undefined);
    if (row === undefined) return undefined;
    const bytes = row.bytes as Uint8Array;
    if (hashOf(bytes) !== row.sum) return undefined;
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  function bytes(hash: Hash): Buffer | undefined {
    for (const encoding of ['identity', 'zstd', 'plain', 'gzip', 'br'] as const) {
      const found = get(hash, encoding);
      if (found) return decoded[encoding](found);
    }
    return below?.bytes(hash);
  }

  /** Making an edition asks for nearly all of them, and one by one they would take five times as long. */
  let memos: Map<Hash, string> | undefined;
  function everyMemo(): Map<Hash, string> {
    memos ??= new Map(
      tolerant(() => statements.everyMemo.all(), []).flatMap((row): [Hash, string][] => {
        const value = wholeMemo(row);
        return value === undefined ? [] : [[String(row.key), value]];
      }),
    );
    return memos;
  }

  function ownHashes(encoding?: Encoding): Set<Hash> {
    const read = () => (encoding === undefined ? statements.hashes.all() : statements.hashesIn.all(encoding));
    return new Set(tolerant(read, []).map(({ hash }) => String(hash)));
  }

  function write(hash: Hash, encoding: StoredEncoding, bytes: Uint8Array): void {
    gathered(() => statements.putBlob.run(hash, encoding, bytes, hashOf(bytes)));
  }

  return {
    bytes,
    stored(hash, encodings) {
      for (const encoding of encodings) {
        const found = get(hash, encoding);
        if (found) return { encoding, bytes: found };
      }
      return below?.stored(hash, encodings);
    },
    hashes: (encoding) => new Set([...ownHashes(encoding), ...(below?.hashes(encoding) ?? [])]),
    ownHashes: () => ownHashes(),
    memo(key) {
      const own =
        access.for === 'make' ? everyMemo().get(key) : wholeMemo(tolerant(() => statements.memo.get(key), undefined));
      return own ?? below?.memo(key);
    },
    publications: () => tolerant(() => statements.publications.all(), []) as Publication[],
    editions(variant, snapshot) {
      const own = tolerant(() => statements.editions.all(variant, snapshot), []) as EditionRow[];
      return [...own, ...(below?.editions(variant, snapshot) ?? [])];
    },
    everyEdition: () => tolerant(() => statements.everyEdition.all(), []) as EditionRow[],
    note(name) {
      const row = tolerant(() => statements.note.get(name), undefined);
      return row ? String(row.value) : below?.note(name);
    },
    version: () => tolerant(() => Number(statements.version.get()?.data_version), 0),

    keep(data) {
      const hash = hashOf(data);
      if (statements.has.get(hash)) return hash;
      write(hash, 'plain', typeof data === 'string' ? Buffer.from(data) : data);
      return hash;
    },
    putStored: (hash, { encoding, bytes }) => write(hash, encoding, bytes),
    setMemo(key, value) {
      if (access.for === 'make') everyMemo().set(key, value);
      gathered(() => statements.putMemo.run(key, value, hashOf(value)));
    },
    setEdition({ variant, snapshot, starts, until, root, made }) {
      gathered(() => statements.putEdition.run(variant, snapshot, starts, until, root, made));
    },
    publish(snapshot, at) {
      flush();
      // All that was written before goes to the disk with it.
      connection.exec('PRAGMA synchronous = FULL');
      statements.publish.run(snapshot, at.toISOString());
      connection.exec('PRAGMA synchronous = NORMAL');
    },
    setNote(name, value) {
      flush();
      if (value === undefined) statements.dropNote.run(name);
      else statements.putNote.run(name, value);
    },
    lease(task, owner, milliseconds) {
      const now = Date.now();
      return atOnce(() => statements.lease.run({ task, owner, now, until: now + milliseconds }).changes === 1) ?? false;
    },
    release: (task, owner) => void atOnce(() => statements.release.run(task, owner)),
    flush,
    retain(needed) {
      flush();
      alone(() => {
        memos = undefined;
        const { blobs, memos: keys, roots, snapshots } = needed();
        const outside = (table: string, column: string, values: ReadonlySet<Hash>, those = 'true') => {
          const text = `DELETE FROM ${table} WHERE ${those} AND ${column} NOT IN (SELECT value FROM json_each(?))`;
          gathered(() => sql(text).run(JSON.stringify([...values])));
        };
        outside('publication', 'snapshot', snapshots);
        outside('edition', 'root', roots);
        outside('memo', 'key', keys);
        outside('blob', 'hash', blobs);
        // What was packed with a dictionary goes with it.
        outside('blob', `substr(encoding, ${'dcz '.length + 1})`, blobs, "encoding LIKE 'dcz %'");
        flush();
        memos = undefined;
        connection.exec('PRAGMA incremental_vacuum');
      });
    },
    packSome() {
      // Before anything is written: no other process can write until that is committed.
      const some = statements.plain.all().map(({ hash, bytes }) => {
        const plain = bytes as Uint8Array;
        return { hash: String(hash), plain, packed: zstdCompressSync(plain) };
      });
      for (const { hash, plain, packed } of some) {
        gathered(() => statements.dropPlain.run(hash));
        if (packed.length < plain.length) write(hash, 'zstd', packed);
        else write(hash, 'identity', plain);
      }
      flush();
      return some.length;
    },
    hasty: () => statements.hasty.all().map(({ hash }) => String(hash)),
    damaged() {
      const blobs = statements.everyBlob.iterate();
      const damaged = new Set<Hash>();
      for (const { hash, bytes, sum } of blobs) if (hashOf(bytes as Uint8Array) !== sum) damaged.add(String(hash));
      for (const { key, value, sum } of statements.everyMemo.iterate()) {
        if (hashOf(String(value)) !== sum) damaged.add(String(key));
      }
      const said = connection.prepare('PRAGMA integrity_check(1)').get()?.integrity_check;
      if (said !== 'ok') damaged.add(String(said));
      return [...damaged];
    },
    drop(names) {
      const listed = JSON.stringify(names);
      gathered(() => sql('DELETE FROM blob WHERE hash IN (SELECT value FROM json_each(?))').run(listed));
      gathered(() => sql('DELETE FROM memo WHERE key IN (SELECT value FROM json_each(?))').run(listed));
      flush();
    },
    close() {
      if (!connection.isOpen) return;
      flush();
      connection.close();
      making?.close();
    },
  };
}

const decoded: Readonly<Record<Exclude<StoredEncoding, `dcz ${Hash}`>, (bytes: Buffer) => Buffer>> = {
  identity: (bytes) => bytes,
  plain: (bytes) => bytes,
  zstd: (bytes) => zstdDecompressSync(bytes),
  gzip: (bytes) => gunzipSync(bytes),
  br: (bytes) => brotliDecompressSync(bytes),
};

function wholeMemo(row: Record<string, unknown> | undefined): string | undefined {
  const value = row && String(row.value);
  return value !== undefined && hashOf(value) === row?.sum ? value : undefined;
}

/** What cannot be read counts as missing: there is always something else to serve, and it is made again. */
function tolerant<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

function connect(file: string, access: Access): DatabaseSync {
  const patience = patienceFor[access.for];
  let connection: DatabaseSync | undefined;
  try {
    if (access.for === 'ship') {
      // No process writes it, so neither locks nor the files beside it are needed, in a folder that is read-only.
      const address = pathToFileURL(file);
      address.search = '?immutable=1';
      connection = new DatabaseSync(address, { readOnly: true });
    } else {
      connection = new DatabaseSync(file, { timeout: patience });
      const opened = connection;
      waitingForOthers(patience, () => {
        opened.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
        create(opened);
      });
      // Some thousands of pages come at once: they need not go over to the main file after each megabyte.
      if (access.for === 'make') connection.exec('PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 16384;');
    }
    const version = Number(connection.prepare('PRAGMA user_version').get()?.user_version);
    if (version !== schemaVersion)
      throw new Error(`its version is ${version}, and this program knows ${schemaVersion}`);
    return connection;
  } catch (error) {
    if (connection?.isOpen) connection.close();
    const reason = Error.isError(error) ? error.message : String(error);
    throw new DamagedStore(`The store of editions ${file} cannot be used: ${reason}`, { cause: error });
  }
}

function create(connection: DatabaseSync): void {
  const empty = () => Number(connection.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.n) === 0;
  if (!empty()) return;
  connection.exec('BEGIN IMMEDIATE');
  // Another process may have been quicker.
  connection.exec(empty() ? `${schema} COMMIT` : 'COMMIT');
}

/**
 * Opens a store to write to it. One that is damaged beyond reading is put aside under another name first: everything
 * in it can be made again.
 *
 * @returns the store, and where the damaged one is now
 */
export function openOrReplace(
  file: string,
  access: Access,
  below?: EditionStore,
): { store: EditionStore; aside: string | undefined } {
  try {
    return { store: openEditionStore(file, access, below), aside: undefined };
  } catch (error) {
    if (!(error instanceof DamagedStore) || !existsSync(file) || !isSqliteDamage(error.cause)) throw error;
    const aside = `${file}.damaged-${Date.now()}`;
    renameSync(file, aside);
    for (const ending of ['-wal', '-shm']) rmSync(`${file}${ending}`, { force: true });
    return { store: openEditionStore(file, access, below), aside };
  }
}

/** SQLite's result codes for a file that is damaged (11) or none of its own (26); or one of another version. */
function isSqliteDamage(cause: unknown): boolean {
  return [11, 26].includes(resultCode(cause)) || (Error.isError(cause) && cause.message.startsWith('its version'));
}

/** Turns a store into one file that can be shipped: nothing beside it, and on disk. */
export function sealStore(file: string): void {
  const connection = new DatabaseSync(file);
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE;');
  connection.close();
  sync(file);
}

function prepare(connection: DatabaseSync) {
  const sql = (text: string) => connection.prepare(text);
  return {
    blob: sql('SELECT bytes, sum FROM blob WHERE hash = ? AND encoding = ?'),
    has: sql('SELECT 1 FROM blob WHERE hash = ? LIMIT 1'),
    hashes: sql('SELECT DISTINCT hash FROM blob'),
    hashesIn: sql('SELECT hash FROM blob WHERE encoding = ?'),
    memo: sql('SELECT value, sum FROM memo WHERE key = ?'),
    publications: sql('SELECT number, snapshot, at FROM publication ORDER BY number DESC'),
    editions: sql('SELECT * FROM edition WHERE variant = ? AND snapshot = ? ORDER BY starts DESC'),
    everyEdition: sql('SELECT * FROM edition ORDER BY made DESC'),
    note: sql('SELECT value FROM note WHERE name = ?'),
    version: sql('PRAGMA data_version'),
    putBlob: sql('INSERT OR REPLACE INTO blob (hash, encoding, bytes, sum) VALUES (?, ?, ?, ?)'),
    putMemo: sql('INSERT OR REPLACE INTO memo (key, value, sum) VALUES (?, ?, ?)'),
    putEdition: sql(
      'INSERT OR REPLACE INTO edition (variant, snapshot, starts, until, root, made) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    publish: sql('INSERT INTO publication (snapshot, at) VALUES (?, ?)'),
    putNote: sql('INSERT OR REPLACE INTO note (name, value) VALUES (?, ?)'),
    dropNote: sql('DELETE FROM note WHERE name = ?'),
    lease: sql(`
      INSERT INTO lease (task, owner, until) VALUES (:task, :owner, :until)
      ON CONFLICT (task) DO UPDATE SET owner = :owner, until = :until WHERE owner = :owner OR lease.until < :now`),
    release: sql('DELETE FROM lease WHERE task = ? AND owner = ?'),
    hasty: sql(`
      SELECT hash FROM blob AS body WHERE encoding = 'gzip'
      AND NOT EXISTS (SELECT 1 FROM blob WHERE hash = body.hash AND encoding = 'br')`),
    plain: sql(`SELECT hash, bytes FROM blob WHERE encoding = 'plain' LIMIT 256`),
    dropPlain: sql(`DELETE FROM blob WHERE hash = ? AND encoding = 'plain'`),
    everyBlob: sql('SELECT hash, bytes, sum FROM blob'),
    everyMemo: sql('SELECT key, value, sum FROM memo'),
  };
}
