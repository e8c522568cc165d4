import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sync } from '../../lib/files.ts';
import type { Query, Sql, Value } from '../../lib/sql.ts';
import { StoreError } from '../../lib/store-error.ts';
import { databasePath, movedPath, storeError } from './sqlite.ts';

/**
 * Copies the SQLite database of `dataDir` as it is at this moment, while others read and write it. The file appears
 * under its name when it is whole and on disk; only its owner may read it.
 *
 * @param file replaced if it exists
 * @returns how many leads the copy has
 * @throws {StoreError} if it cannot be made
 */
export function backUp(dataDir: string, file: string): number {
  const part = `${file}.part`;
  try {
    rmSync(part, { force: true });
    closeSync(openSync(part, 'wx', 0o600));
    using source = new DatabaseSync(databasePath(dataDir), { timeout: 5_000 });
    checkWhole(source);
    source.prepare('VACUUM INTO ?').run(part);
    using copy = new DatabaseSync(part, { readOnly: true });
    const leads = Number(copy.prepare('SELECT count(*) AS n FROM lead').get()?.n);
    sync(part);
    renameSync(part, file);
    sync(dirname(resolve(file)));
    return leads;
  } catch (error) {
    for (const left of [part, `${part}-journal`].filter((path) => existsSync(path))) rmSync(left);
    throw storeError(`${file} was not written`, error);
  }
}

/** A row may be read although its text is damaged. */
function checkWhole(source: DatabaseSync): void {
  const found = source.prepare('PRAGMA integrity_check(1)').get()?.integrity_check;
  if (found !== 'ok') throw new StoreError(`it is damaged: ${found}`);
}

/** How much was copied. */
type Copied = { leads: number; deliveries: number };

/**
 * Copies every row of a SQLite file of this program into a store without leads. Nothing else of the file comes along:
 * no trigger, no index.
 *
 * @throws {StoreError} if the store holds leads, or the file is not whole or none of this program; then nothing was copied
 */
export async function restore(file: string, target: Sql): Promise<Copied> {
  try {
    // Otherwise SQLite would make it.
    if (!existsSync(file)) throw new StoreError('there is no such file');
    using source = new DatabaseSync(file);
    checkWhole(source);
    return await copyAll(source, target);
  } catch (error) {
    throw storeError(`${file} cannot be restored`, error);
  }
}

/**
 * The same with the database of `dataDir`, which is then put away, so that no server goes on with it.
 *
 * @throws {StoreError} if a server uses it: that would acknowledge leads that are not copied
 */
export async function moveTo(target: Sql, dataDir: string): Promise<Copied> {
  const path = databasePath(dataDir);
  try {
    using source = new DatabaseSync(path);
    // Only a process that is alone may do away with the log of changes.
    source.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    const copied = await copyAll(source, target);
    renameSync(path, movedPath(dataDir));
    return copied;
  } catch (error) {
    throw storeError(`${path} was not moved; stop the server and whatever else has it open`, error);
  }
}

/** All that is kept, in an order in which references hold. */
const tables = ['lead', 'delivery', 'link', 'consent_text', 'digest', 'broadcast', 'clock'];

function copyAll(source: DatabaseSync, { dialect, transact }: Sql): Promise<Copied> {
  return transact(async (query) => {
    const [held] = await query<{ n: number }>('SELECT count(*) AS n FROM lead');
    if (held?.n !== 0) throw new StoreError(`the store holds ${held?.n} leads already; nothing was copied`);
    const counts: Record<string, number> = {};
    for (const table of tables) counts[table] = await copyTable(source, query, table);
    await copyCounter(source, query, dialect, ['lead', 'number']);
    await copyCounter(source, query, dialect, ['delivery', 'position']);
    return { leads: counts.lead ?? 0, deliveries: counts.delivery ?? 0 };
  });
}

/** Columns have the same names on both sides; one that the file does not have yet is left as it is in a new row. */
async function copyTable(source: DatabaseSync, query: Query, table: string): Promise<number> {
  const rows = source.prepare(`SELECT * FROM ${table}`);
  const columns = rows.columns().map(({ name }) => name);
  const unknown = columns.find((name) => !/^\w+$/.test(name));
  if (unknown !== undefined) throw new StoreError(`its table ${table} has a column ${JSON.stringify(unknown)}`);
  const places = columns.map((_, index) => `$${index + 1}`);
  await query(`DELETE FROM ${table}`);
  let count = 0;
  for (const row of rows.iterate()) {
    await query(`INSERT INTO ${table} (${columns}) VALUES (${places})`, Object.values(row) as Value[]);
    count += 1;
  }
  return count;
}

/** The number of an erased lead is not given to another here, either. */
async function copyCounter(
  source: DatabaseSync,
  query: Query,
  dialect: Sql['dialect'],
  [table, column]: [string, string],
): Promise<void> {
  const last = source.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table)?.seq;
  if (last === undefined) return;
  if (dialect === 'postgres') {
    await query('SELECT setval(pg_get_serial_sequence($1, $2), $3)', [table, column, Number(last)]);
  } else {
    await query('DELETE FROM sqlite_sequence WHERE name = $1', [table]);
    await query('INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)', [table, Number(last)]);
  }
}
