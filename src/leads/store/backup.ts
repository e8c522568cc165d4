import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { sync } from '../../lib/files.ts';
import { StoreError } from '../../lib/store-error.ts';
import { asidePath, companions } from './aside.ts';
import { databasePath, openDatabase, storeError } from './sqlite.ts';
import { busy, resultCode } from './waiting.ts';

/**
 * Copies the database of `dataDir` as it is at this moment, while others read and write it. The file appears
 * under its name when it is whole and on disk; only its owner may read it.
 *
 * @param file replaced if it exists
 * @returns how many leads the copy has
 * @throws {StoreError} if it cannot be made
 */
export async function backUp(dataDir: string, file: string): Promise<number> {
  using connection = openDatabase(dataDir).connection;
  // As long as this connection reads this state, writing by others does not make the copy begin anew.
  connection.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
  return await copy(connection, file);
}

/**
 * Puts a copy in the place of the database of `dataDir`, if no process has that open.
 *
 * @returns how many leads it has, and where the database that was there before is kept
 * @throws {StoreError} if the file is no whole database of this program, or the one in its place is in use; then
 *   everything is as it was
 */
export async function restore(dataDir: string, file: string): Promise<{ leads: number; aside: string | undefined }> {
  const path = databasePath(dataDir);
  using source = openCopy(file);
  if (!existsSync(path)) return { leads: await copy(source, path), aside: undefined };
  using _occupied = occupy(path);
  const aside = asidePath(path, Date.now());
  const leads = await copy(source, path, () => {
    for (const rest of ['', ...companions]) {
      if (existsSync(path + rest)) renameSync(path + rest, aside + rest);
    }
  });
  return { leads, aside };
}

/** @throws {StoreError} unless it is a database that this program has written */
function openCopy(file: string): DatabaseSync {
  let connection: DatabaseSync | undefined;
  try {
    // Otherwise SQLite would make it.
    if (!existsSync(file)) throw new StoreError('there is no such file');
    connection = new DatabaseSync(file, { timeout: 0 });
    const tables = connection.prepare(`SELECT count(*) AS n FROM sqlite_schema WHERE name IN ('lead', 'heartbeat')`);
    if (tables.get()?.n !== 2) throw new StoreError('it is a database, but none of this program');
    return connection;
  } catch (error) {
    connection?.close();
    throw storeError(`${file} cannot be restored`, error);
  }
}

/**
 * Copies beside `file`, looks whether the copy is whole, waits for the disk, and gives it its name.
 *
 * @param ready called before it gets its name
 * @returns how many leads it has
 */
async function copy(source: DatabaseSync, file: string, ready = () => {}): Promise<number> {
  const part = `${file}.part`;
  try {
    rmSync(part, { force: true });
    writeFileSync(part, '', { mode: 0o600 });
    await backup(source, part);
    const leads = finish(part);
    sync(part);
    ready();
    renameSync(part, file);
    sync(dirname(resolve(file)));
    return leads;
  } catch (error) {
    for (const left of ['', ...companions].map((rest) => part + rest)) if (existsSync(left)) rmSync(left);
    throw storeError(`${file} was not written`, error);
  }
}

function finish(part: string): number {
  using connection = new DatabaseSync(part);
  const found = connection.prepare('PRAGMA integrity_check(1)').get()?.integrity_check;
  if (found !== 'ok') throw new StoreError(`the copy is damaged, and so is what it was made from: ${found}`);
  // One file that needs no others beside it; a server that opens it goes back to a log.
  connection.exec('PRAGMA journal_mode = DELETE');
  return Number(connection.prepare('SELECT count(*) AS n FROM lead').get()?.n);
}

/**
 * Keeps other processes from opening a database, until the connection is closed.
 *
 * @throws {StoreError} if one has it open
 */
function occupy(path: string): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: 0 });
  try {
    // Only a process that is alone may do away with the log of changes.
    connection.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
  } catch (error) {
    // A damaged one is what backups are for.
    if ([11, 26].includes(resultCode(error))) return connection;
    connection.close();
    if (resultCode(error) === busy) {
      throw new StoreError(`${path} is in use; stop the server and whatever else has it open`, { cause: error });
    }
    throw storeError(`${path} cannot be replaced`, error);
  }
  return connection;
}
