import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sync, timestampOf, writeTimestamp } from '../../lib/files.ts';
import { schemaFor } from './migrations.ts';
import { type Query, type Sql, StoreError, type Value } from './sql.ts';
import { databasePath, storeError } from './sqlite.ts';

/**
 * Copies the SQLite database while it is in use. `file` appears only once it is complete and on disk.
 *
 * @param file replaced if it exists
 * @returns the number of leads
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

/** Damaged rows may still be readable, so this checks the whole file. */
function checkWhole(source: DatabaseSync): void {
  const found = source.prepare('PRAGMA integrity_check(1)').get()?.integrity_check;
  if (found !== 'ok') throw new StoreError(`it is damaged: ${found}`);
}

type Copied = { leads: number; deliveries: number };

const whyNotRestored = {
  11: 'it is damaged; take an older backup',
  26: 'it is no database; name a file that "backup" has written',
};

/**
 * Copies rows of tables that are as this program makes them, and nothing else of the file.
 *
 * @throws {StoreError} if the store has leads, or the file is damaged or not a backup; nothing is copied then
 */
export async function restore(file: string, target: Sql): Promise<Copied> {
  try {
    // SQLite would create a missing file.
    if (!existsSync(file)) throw new StoreError('there is no such file');
    using source = new DatabaseSync(file);
    checkWhole(source);
    return await copyAll(source, target);
  } catch (error) {
    throw storeError(`${file} cannot be restored`, error, whyNotRestored);
  }
}

/** Referenced tables first. */
const tables = ['lead', 'delivery', 'link', 'destruction', 'secret', 'consent_text', 'digest', 'broadcast', 'clock'];

function copyAll(source: DatabaseSync, { dialect, transact }: Sql): Promise<Copied> {
  checkTables(source);
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

/** A view or a generated column would run what the file says. */
function checkTables(source: DatabaseSync): void {
  const version = Number(source.prepare('PRAGMA user_version').get()?.user_version);
  const steps = schemaFor('sqlite');
  if (version > steps.length) throw new StoreError('it was made by a newer release; restore it with that one');
  using ours = new DatabaseSync(':memory:');
  for (const step of steps.slice(0, version)) ours.exec(step);
  if (version < 1 || tables.some((table) => shapeOf(source, table) !== shapeOf(ours, table))) {
    throw new StoreError('its tables are not those that "backup" writes');
  }
}

function shapeOf(database: DatabaseSync, table: string): string {
  const kinds = database.prepare('SELECT type FROM pragma_table_list WHERE name = ?').all(table);
  const columns = database.prepare('SELECT name, type, hidden FROM pragma_table_xinfo(?)').all(table);
  return JSON.stringify({ kinds, columns });
}

/** A column that an older file lacks keeps its default. */
async function copyTable(source: DatabaseSync, query: Query, table: string): Promise<number> {
  const rows = source.prepare(`SELECT * FROM ${table}`);
  const columns = rows.columns().map(({ name }) => name);
  const places = columns.map((_, index) => `$${index + 1}`);
  await query(`DELETE FROM ${table}`);
  let count = 0;
  for (const row of rows.iterate()) {
    await query(`INSERT INTO ${table} (${columns}) VALUES (${places})`, Object.values(row) as Value[]);
    count += 1;
  }
  return count;
}

/** PostgreSQL's; from 2 ** 53 on, JavaScript reads no number, so no lead could be added. */
const largestNumber = 2 ** 31 - 1;

/** Numbers of erased leads are never reused. */
async function copyCounter(
  source: DatabaseSync,
  query: Query,
  dialect: Sql['dialect'],
  [table, column]: [string, string],
): Promise<void> {
  const last = Number(source.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table)?.seq ?? 0);
  if (!(last < largestNumber)) throw new StoreError(`its ${table}s have no more numbers`);
  if (last === 0) return;
  if (dialect === 'postgres') {
    await query('SELECT setval(pg_get_serial_sequence($1, $2), $3)', [table, column, last]);
  } else {
    await query('DELETE FROM sqlite_sequence WHERE name = $1', [table]);
    await query('INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)', [table, last]);
  }
}

/** A file that each backup writes again, wherever the copy is kept. */
export function backupMark(dataDir: string): string {
  return join(dataDir, 'last-backup');
}

export function markBackup(dataDir: string): void {
  writeTimestamp(backupMark(dataDir));
}

/** @returns `undefined` if there was none */
export function backedUpAt(dataDir: string): Date | undefined {
  return timestampOf(backupMark(dataDir));
}

/** When the newest backup was made, or the database if there was none. */
export function uncopiedSince(dataDir: string): Date {
  return backedUpAt(dataDir) ?? statSync(databasePath(dataDir)).birthtime;
}
