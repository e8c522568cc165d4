import { execFile } from 'node:child_process';
import { existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { databasePath } from '../../leads/store/sqlite.ts';
import { paths } from '../../lib/paths.ts';
import { keep, korob, withStore } from '../../testing/commands.ts';
import { startServerProcess } from '../../testing/server-process.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

let dataDir: string;
let folder: string;
let file: string;

beforeEach(async () => {
  dataDir = temporaryFolder();
  folder = temporaryFolder();
  file = join(folder, 'leads.sqlite');
  await keep(dataDir, [{ name: 'Анна' }, { name: 'Борис' }]);
});

describe('backup and restore', () => {
  test('go there and back, and say how many leads and what to know', async () => {
    const made = await korob(dataDir, ['backup', file]);
    expect([made.code, made.stderr]).toEqual([
      0,
      `2 leads in ${file}. It holds personal data: keep it as safe as the database.\n`,
    ]);
    const { code, stderr } = await korob(temporaryFolder(), ['restore', file]);
    expect(code).toBe(0);
    expect(stderr).toContain(`2 leads restored from ${file}.\n`);
    expect(stderr).toContain('must be erased and ended again');
  });

  test('restoring is refused while there are leads, and goes into a server that runs without them', async () => {
    await korob(dataDir, ['backup', file]);
    const refused = await korob(dataDir, ['restore', file]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('the store holds 2 leads already')]);
    const empty = temporaryFolder();
    const server = await startServerProcess({ DATA_DIR: empty });
    const restored = await korob(empty, ['restore', file]);
    const ready = await fetch(`${server.url}/readyz`);
    server.child.kill('SIGTERM');
    await server.exited;
    expect([restored.code, ready.status]).toEqual([0, 200]);
    const found = await withStore(empty, (store) => store.leads.list({ limit: 9 }));
    expect(found.map(({ name }) => name)).toEqual(['Борис', 'Анна']);
  });

  test('leads in PostgreSQL are copied by its own tools', async () => {
    const env = { DATABASE_URL: 'postgres://korob:geheim@db.example/korob' };
    const backup = await korob(dataDir, ['backup', file], env);
    expect([backup.code, backup.stderr]).toEqual([
      1,
      `The leads are in PostgreSQL; use its own tool:\n  pg_dump --format=custom --file=${file} "$DATABASE_URL"\n`,
    ]);
    expect(backup.stderr).not.toContain('geheim');
  });
});

describe('backup', () => {
  test('never replaces the database itself, under whatever name', async () => {
    symlinkSync(databasePath(dataDir), file);
    for (const name of [databasePath(dataDir), file]) {
      const { code, stderr } = await korob(dataDir, ['backup', name]);
      expect([code, stderr]).toEqual([1, `${name} is the database itself; name another file.\n`]);
    }
    const leads = await withStore(dataDir, (store) => store.leads.list({ limit: 9 }));
    expect(leads).toHaveLength(2);
  });

  test('of a folder that no server has used makes nothing', async () => {
    rmSync(databasePath(dataDir));
    expect((await korob(dataDir, ['backup', file])).stderr).toContain('no server has run with this DATA_DIR');
    expect([existsSync(databasePath(dataDir)), existsSync(file)]).toEqual([false, false]);
  });

  test('without space says so and leaves nothing behind', async () => {
    await keep(
      dataDir,
      Array.from({ length: 300 }, () => ({ message: 'ы'.repeat(4_000) })),
    );
    const line = ['-c', 'ulimit -f 512; exec "$@"', '-', process.execPath, paths.commands, 'backup', file];
    const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
      execFile('bash', line, { env: { ...process.env, DATA_DIR: dataDir } }, (error, _, stderr) =>
        resolve({ code: error?.code, stderr }),
      );
    });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/was not written: the disk (is full|reported an error)/)]);
    expect(readdirSync(folder)).toEqual([]);
  });
});
