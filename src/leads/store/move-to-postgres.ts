import { DatabaseSync } from 'node:sqlite';
import type { Row } from '../../lib/sql.ts';
import { StoreError } from '../../lib/store-error.ts';
import { markMoved, refuseMoved } from './moved.ts';
import type { Postgres, Query } from './postgres.ts';
import { databasePath, openDatabase } from './sqlite.ts';

/** How much was moved. */
export type Moved = { leads: number; deliveries: number };

const portion = 500;

/**
 * Moves everything from SQLite in `dataDir` to an empty PostgreSQL, in one transaction: leads with their numbers
 * and receipts, deliveries, texts of consent, links, the last digest, and the broadcast. The file
 * stays, and says where its leads went; no server starts with it any more.
 *
 * @throws {StoreError} if a server uses the file, or PostgreSQL holds leads already; then nothing was moved
 */
export async function moveToPostgres(dataDir: string, postgres: Postgres): Promise<Moved> {
  openDatabase(dataDir).close(); // Brings the file to the present version.
  using source = openAlone(databasePath(dataDir));
  refuseMoved(source, databasePath(dataDir));
  const moved = await postgres.transaction((query) => moveAll(source, query, postgres.place));
  markMoved(source, postgres.place);
  source.exec('COMMIT');
  return moved;
}

/** A server that went on with the file would acknowledge leads that are not moved. */
function openAlone(path: string): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: 500 });
  try {
    connection.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE');
    return connection;
  } catch (cause) {
    connection.close();
    throw new StoreError(`${path} is in use; stop the server, and nothing that comes in is left behind`, { cause });
  }
}

async function moveAll(source: DatabaseSync, query: Query, place: string): Promise<Moved> {
  await query('LOCK TABLE lead IN EXCLUSIVE MODE');
  const [given] = await query<{ last: number }>('SELECT coalesce(max(number), 0) AS last FROM lead');
  const last = given?.last ?? 0;
  if (last > 0) {
    throw new StoreError(
      `The database ${place} holds leads already, numbered up to ${last}; nothing was moved. Set DATABASE_URL to an empty database.`,
    );
  }
  const numbered = source.prepare(`SELECT seq FROM sqlite_sequence WHERE name = 'lead'`).get()?.seq ?? 0;
  const leads = await copy('lead', 'SELECT * FROM lead ORDER BY number');
  const deliveries = await copy('delivery', 'SELECT * FROM delivery ORDER BY position');
  for (const table of ['link', 'broadcast', 'consent_text', 'digest']) {
    await query(`DELETE FROM ${table}`);
    await copy(table, `SELECT * FROM ${table}`);
  }
  await query(`SELECT setval(pg_get_serial_sequence('lead', 'number'), :next, false)`, { next: Number(numbered) + 1 });
  await query(
    `SELECT setval(pg_get_serial_sequence('delivery', 'position'), (SELECT coalesce(max(position), 0) + 1 FROM delivery), false)`,
  );
  return { leads, deliveries };

  /** Columns have the same names on both sides. */
  async function copy(table: string, selection: string): Promise<number> {
    const statement = source.prepare(selection);
    const columns = statement.columns().map(({ name }) => name);
    const insertion = `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, :batch)`;
    let done = 0;
    let batch: object[] = [];
    const write = async () => {
      if (batch.length > 0) await query(insertion, { batch: JSON.stringify(batch) });
      done += batch.length;
      batch = [];
    };
    for (const row of statement.iterate()) {
      batch.push(asJson(row));
      if (batch.length === portion) await write();
    }
    await write();
    return done;
  }
}

/** A row as PostgreSQL's JSON functions read it. */
function asJson(row: Row): object {
  const hex = (value: unknown) => (value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value);
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, hex(value)]));
}
