import { closeSync, copyFileSync, existsSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { sync } from '../../lib/files.ts';
import { StoreError } from '../../lib/store-error.ts';
import { asidePath, companions } from './aside.ts';
import { databasePath, openDatabase, storeError } from './sqlite.ts';
import { busy, resultCode } from './waiting.ts';

/** Told how much of a copy is done, from 0 to 1. To end the work, throw. */
export type Progress = (share: number) => void;

/** Pages that are copied in one go, at 4 KB each. */
const pagesAtOnce = 256;
/** Pages after which the copy waits for the disk: a long queue of writes would hold up those of the server. */
const pagesUntilSync = 1024;

/**
 * Copies the database of `dataDir` as it is at this moment, while others read and write it. The file appears
 * under its name when it is whole and on disk; only its owner may read it.
 *
 * @param file replaced if it exists
 * @returns how many leads the copy has
 * @throws {StoreError} if it cannot be made; what there was of it is removed
 */
export async function backUp(dataDir: string, file: string, progress: Progress = () => {}): Promise<number> {
  using connection = openDatabase(dataDir).connection;
  // As long as this connection reads this state, writing by others does not make the copy begin anew.
  connection.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
  return await copy(connection, file, progress, () => renameSync(partOf(file), file));
}

/**
 * Puts a copy in the place of the database of `dataDir`, if no process has that open.
 *
 * @returns how many leads it has, and where the database that was there before is kept
 * @throws {StoreError} if the file is no whole database of this program, or the one in its place is in use; then
 *   everything is as it was
 */
export async function restore(
  dataDir: string,
  file: string,
  progress: Progress = () => {},
): Promise<{ leads: number; aside: string | undefined }> {
  const path = databasePath(dataDir);
  let aside: string | undefined;
  // To find out now what would otherwise show after a long copy.
  if (existsSync(path)) occupy(path)();
  using source = openCopy(file);
  const leads = await copy(source, path, progress, () => {
    aside = replace(path, partOf(path));
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
    checkVersion(connection);
    return connection;
  } catch (error) {
    connection?.close();
    throw storeError(`${file} cannot be restored`, error);
  }
}

function checkVersion(connection: DatabaseSync): void {
  const version = Number(connection.prepare('PRAGMA user_version').get()?.user_version);
  const tables = connection.prepare(`SELECT count(*) AS n FROM sqlite_schema WHERE name IN ('lead', 'heartbeat')`);
  if (tables.get()?.n !== 2 || version === 0) throw new StoreError('it is a database, but none of this program');
}

/** Copies beside `file`, looks whether the copy is whole, waits for the disk, and lets `place` give it its name. */
async function copy(source: DatabaseSync, file: string, progress: Progress, place: () => void): Promise<number> {
  const part = partOf(file);
  let made = false;
  try {
    closeSync(openSync(part, 'wx', 0o600));
    made = true;
    let synced = 0;
    await backup(source, part, {
      rate: pagesAtOnce,
      progress: ({ totalPages, remainingPages }) => {
        progress(1 - remainingPages / totalPages);
        const copied = totalPages - remainingPages;
        if (copied - synced < pagesUntilSync) return;
        synced = copied;
        sync(part);
      },
    });
    progress(1);
    const leads = finish(part);
    sync(part);
    place();
    sync(dirname(resolve(file)));
    return leads;
  } catch (error) {
    throw storeError(`${file} was not written`, error);
  } finally {
    if (made) for (const rest of ['', ...companions]) rmSync(part + rest, { force: true });
  }
}

/**
 * Looks whether a copy is whole.
 *
 * @returns how many leads the copy has
 * @throws {StoreError} if it is damaged
 */
function finish(part: string): number {
  using connection = new DatabaseSync(part);
  const found = connection.prepare('PRAGMA integrity_check(1)').get()?.integrity_check;
  if (found !== 'ok') throw new StoreError(`the copy is damaged, and so is what it was made from: ${found}`);
  // One file that needs no others beside it; a server that opens it goes back to a log.
  connection.exec('PRAGMA journal_mode = DELETE');
  return Number(connection.prepare('SELECT count(*) AS n FROM lead').get()?.n);
}

/**
 * Makes sure that no other process has a database open, and that it stays so.
 *
 * @returns what ends it
 * @throws {StoreError} if one has
 */
function occupy(path: string): () => void {
  const connection = new DatabaseSync(path, { timeout: 0 });
  try {
    // Only a process that is alone may do away with the log of changes.
    connection.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    if (resultCode(error) === busy) {
      throw new StoreError(`${path} is in use; stop the server and whatever else has it open`, { cause: error });
    }
    // A damaged one is what backups are for.
    if (![11, 26].includes(resultCode(error))) throw storeError(`${path} cannot be replaced`, error);
  }
  return () => connection.isOpen && connection.close();
}

/** @returns where the file that was there before is now; `undefined` if there was none */
function replace(path: string, part: string): string | undefined {
  if (!existsSync(path)) {
    renameSync(part, path);
    return undefined;
  }
  const release = occupy(path);
  try {
    const aside = asidePath(path, Date.now());
    // There is a file under the name at every moment: a server that starts without one makes an empty database.
    giveSecondName(path, aside);
    // Beside a damaged one; they would spoil the new one.
    for (const rest of companions) {
      if (existsSync(path + rest)) renameSync(path + rest, aside + rest);
    }
    renameSync(part, path);
    return aside;
  } finally {
    release();
  }
}

function giveSecondName(path: string, aside: string): void {
  try {
    linkSync(path, aside);
  } catch {
    // Not every file system knows links.
    copyFileSync(path, aside);
    sync(aside);
  }
}

/** Where a copy grows; another process that writes the same file has one of its own. */
function partOf(file: string): string {
  return `${file}.${process.pid}.part`;
}
