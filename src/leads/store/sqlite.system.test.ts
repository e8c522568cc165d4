import { execFile } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { StoreError } from '../../lib/store-error.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { schemaFor } from './schema.ts';
import { databasePath, openDatabase } from './sqlite.ts';

const module = new URL('sqlite.ts', import.meta.url).href;
const run = promisify(execFile);

function pragma(connection: DatabaseSync, name: string): unknown {
  return Object.values(connection.prepare(`PRAGMA ${name}`).get() ?? {})[0];
}

function caught(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('a new database', () => {
  test('waits for the disk at every commit, and keeps nobody waiting for other processes', () => {
    const { connection, close } = openDatabase(temporaryFolder());
    const settings = [
      'journal_mode',
      'synchronous',
      'busy_timeout',
      'foreign_keys',
      'fullfsync',
      'checkpoint_fullfsync',
    ];
    expect(settings.map((name) => [name, pragma(connection, name)])).toEqual([
      ['journal_mode', 'wal'],
      ['synchronous', 2],
      ['busy_timeout', 10],
      ['foreign_keys', 1],
      ['fullfsync', 1],
      ['checkpoint_fullfsync', 1],
    ]);
    close();
  });

  test('has only STRICT tables', () => {
    const { connection, close } = openDatabase(temporaryFolder());
    const tables = connection
      .prepare("SELECT name, strict FROM pragma_table_list WHERE name NOT LIKE 'sqlite_%'")
      .all();
    expect(tables.filter(({ strict }) => strict !== 1)).toEqual([]);
    expect(tables.length).toBeGreaterThan(5);
    close();
  });

  test('is for the eyes of its owner only, whatever the umask; others may pass through its folder', async () => {
    const folder = join(temporaryFolder(), 'made', 'on', 'the', 'way');
    const script = `process.umask(0);
      const { openDatabase } = await import(${JSON.stringify(module)});
      const database = openDatabase(${JSON.stringify(folder)});
      await database.query("INSERT INTO heartbeat VALUES (1, '', x'')");
      process.kill(process.pid, 'SIGKILL'); // leaves the files beside the database where they are`;
    await run(process.execPath, ['--input-type=module', '--eval', script]).catch(() => {});
    const modes = readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]);
    expect(modes.sort()).toEqual([
      ['korob.sqlite', '600'],
      ['korob.sqlite-shm', '600'],
      ['korob.sqlite-wal', '600'],
    ]);
    expect((statSync(folder).mode & 0o777).toString(8)).toBe('711');
  });

  test('can be opened by many processes at once', async () => {
    for (let round = 0; round < 3; round++) {
      const folder = temporaryFolder();
      const together = Date.now() + 1_000;
      const script = `const { openDatabase } = await import(${JSON.stringify(module)});
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${together} - Date.now());
        openDatabase(${JSON.stringify(folder)}).close();`;
      const processes = Array.from({ length: 6 }, () =>
        run(process.execPath, ['--input-type=module', '--eval', script]),
      );
      for (const { stderr } of await Promise.all(processes)) expect(stderr).toBe('');
      const { connection, close } = openDatabase(folder);
      expect(pragma(connection, 'user_version')).toBe(schemaFor('sqlite').length);
      close();
    }
  }, 60_000);
});

describe('steps of the schema', () => {
  const one = 'CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (7);';
  const two = 'ALTER TABLE a ADD COLUMN y TEXT;';

  test('each run once, and what was stored stays', () => {
    const folder = temporaryFolder();
    openDatabase(folder, [one]).close();
    openDatabase(folder, [one, two]).close();
    const { connection, close } = openDatabase(folder, [one, two]);
    expect(
      connection
        .prepare('SELECT x, y FROM a')
        .all()
        .map((row) => ({ ...row })),
    ).toEqual([{ x: 7, y: null }]);
    expect(pragma(connection, 'user_version')).toBe(2);
    close();
  });

  test('wait for another process that is just making the same step', async () => {
    const folder = temporaryFolder();
    const { connection, close } = openDatabase(folder, [one]);
    connection.exec(`BEGIN IMMEDIATE; ${two} PRAGMA user_version = 2;`);
    const script = `const { openDatabase } = await import(${JSON.stringify(module)});
      process.stdout.write('opening');
      openDatabase(${JSON.stringify(folder)}, ${JSON.stringify([one, two])}).close();`;
    const opening = run(process.execPath, ['--input-type=module', '--eval', script]);
    opening.child.stdout?.once('data', () => setTimeout(() => connection.exec('COMMIT'), 300));
    expect((await opening).stderr).toBe('');
    close();
  });

  test('one that fails leaves the database as it was', () => {
    const folder = temporaryFolder();
    openDatabase(folder, [one]).close();
    const error = caught(() => openDatabase(folder, [one, 'DELETE FROM a; ALTER TABLE missing ADD COLUMN y TEXT;']));
    expect(error).toBeInstanceOf(StoreError);
    expect(String(error)).toContain('no such table: missing');
    const { connection, close } = openDatabase(folder, [one]);
    expect(connection.prepare('SELECT count(*) AS n FROM a').get()?.n).toBe(1);
    close();
  });

  test('what a newer program has added, an older one goes on with, and the newer one after it', () => {
    const folder = temporaryFolder();
    openDatabase(folder, [one, two]).close();
    const old = openDatabase(folder, [one]);
    old.connection.exec('INSERT INTO a (x) VALUES (8)');
    old.close();
    const { connection, close } = openDatabase(folder, [one, two]);
    expect(connection.prepare('SELECT y FROM a WHERE x = 8').get()?.y).toBeNull();
    expect(pragma(connection, 'user_version')).toBe(2);
    close();
  });
});

describe('a database that cannot be used', () => {
  test('is reported with what to do and the cause', () => {
    const folder = temporaryFolder();
    writeFileSync(databasePath(folder), 'It was a dark and stormy night. '.repeat(200));
    const error = caught(() => openDatabase(folder));
    expect(error).toBeInstanceOf(StoreError);
    expect(String(error)).toContain('the file is no database; move it away or correct DATA_DIR');
    expect((error as StoreError).cause).toMatchObject({ code: 'ERR_SQLITE_ERROR', errcode: 26 });
  });

  test('a folder that cannot be made is a StoreError, too', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const error = caught(() => openDatabase(join(file, 'var')));
    expect(error).toBeInstanceOf(StoreError);
    expect((error as StoreError).cause).toMatchObject({ code: 'ENOTDIR' });
  });
});

describe('what is written', () => {
  const insert = "INSERT INTO heartbeat VALUES (1, '', x'')";

  test('keeps nothing of work that fails, and works on', async () => {
    const { connection, query, transact, close } = openDatabase(temporaryFolder());
    const failing = transact(async (query) => {
      await query(insert);
      throw new Error('in the middle');
    });
    await expect(failing).rejects.toThrow(StoreError);
    expect(connection.prepare('SELECT count(*) AS n FROM heartbeat').get()?.n).toBe(0);
    await query(insert);
    expect(connection.prepare('SELECT count(*) AS n FROM heartbeat').get()?.n).toBe(1);
    close();
  });

  test('in a transaction is mixed with nothing else on the connection, and read by nobody before its end', async () => {
    const { query, transact, close } = openDatabase(temporaryFolder());
    const at = async (ask: typeof query) => (await ask<{ at: string }>('SELECT at FROM heartbeat'))[0]?.at;
    await query("INSERT INTO heartbeat VALUES (1, '0', x'')");
    const count = (fails: boolean) =>
      transact(async (query) => {
        const before = await at(query);
        await query(`UPDATE heartbeat SET at = 'half'`);
        expect(await at(query)).toBe('half');
        if (fails) throw new Error('in the middle');
        await query('UPDATE heartbeat SET at = $1', [String(Number(before) + 1)]);
      });
    const work = Array.from({ length: 90 }, (_, n) => (n % 3 === 0 ? at(query) : count(n % 3 === 1)));
    const results = await Promise.allSettled(work);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(30);
    expect(results.map((result) => 'value' in result && result.value)).not.toContain('half');
    expect(await at(query)).toBe('30');
    await close();
  });

  test('waits until another process lets go, and everybody else goes on meanwhile', async () => {
    const folder = temporaryFolder();
    const { connection, query, close } = openDatabase(folder);
    const other = openDatabase(folder);
    other.connection.exec('BEGIN IMMEDIATE');
    const written = query(insert);
    await sleep(100);
    // Whoever stood still could not come here.
    other.connection.exec('COMMIT');
    await written;
    expect(connection.prepare('SELECT count(*) AS n FROM heartbeat').get()?.n).toBe(1);
    other.close();
    close();
  });

  test('gives up after five seconds, and says what to do', async () => {
    const folder = temporaryFolder();
    const { query, close } = openDatabase(folder);
    const other = openDatabase(folder);
    other.connection.exec('BEGIN IMMEDIATE');
    await expect(query(insert)).rejects.toThrow('another process holds it; find that process and end it');
    other.close();
    close();
  });

  test.each([
    ['deleted', () => {}],
    ['replaced by a copy', (path: string) => copyFileSync(`${path}.moved`, path)],
  ])('refuses to write into a file that was %s', async (_, afterwards) => {
    const { path, query, close } = openDatabase(temporaryFolder());
    renameSync(path, `${path}.moved`);
    afterwards(path);
    await expect(query(insert)).rejects.toThrow('was moved or deleted while it was open');
    close();
  });
});

describe('forget', () => {
  const beat = (at: string) => `INSERT OR REPLACE INTO heartbeat VALUES (1, '${at}', x'')`;
  const bytes = (path: string) => readFileSync(path, 'latin1') + readFileSync(`${path}-wal`, 'latin1');

  test('is refused while another process reads an older state, and done when that has ended', async () => {
    const folder = temporaryFolder();
    const { path, query, forget, close } = openDatabase(folder);
    await query(beat('canary'));
    const reader = openDatabase(folder);
    reader.connection.exec('BEGIN; SELECT count(*) FROM heartbeat');
    await query(beat('after'));
    await expect(forget()).rejects.toThrow(
      'another process is reading what was erased; do it again when that has ended',
    );
    expect(bytes(path)).toContain('canary');
    // Nobody else is kept from writing.
    reader.connection.exec('COMMIT');
    await reader.query(beat('another'));
    await forget();
    expect(bytes(path)).not.toContain('canary');
    reader.close();
    close();
  });
});
