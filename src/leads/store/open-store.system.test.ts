import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect } from '@jest/globals';
import { run } from '../../cli.ts';
import { newLead, plan } from '../../testing/leads.ts';
import { initdbPath, type PostgresServer, postgresPassword, startPostgres } from '../../testing/postgres.ts';
import { has, testWith } from '../../testing/requires.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { openStore } from './open-store.ts';
import { movedPath } from './sqlite.ts';

const test = testWith(initdbPath, 'commands work with PostgreSQL as they do with SQLite');

let server: PostgresServer;
let dataDir: string;
let databaseUrl: string;

beforeAll(async () => {
  if (has(initdbPath)) server = await startPostgres();
}, 60_000);

beforeEach(async () => {
  dataDir = temporaryFolder();
  databaseUrl = has(initdbPath) ? await server.newDatabase() : '';
});

/** Runs a command of the operator. */
async function korob(args: string[], env: Record<string, string> = { DATABASE_URL: databaseUrl }) {
  const said = { stdout: '', stderr: '' };
  const into = (name: keyof typeof said) =>
    new Writable({
      write(chunk, _, done) {
        said[name] += chunk;
        done();
      },
    });
  const code = await run(args, { env: { DATA_DIR: dataDir, ...env }, stdout: into('stdout'), stderr: into('stderr') });
  expect(said.stdout + said.stderr).not.toContain(postgresPassword);
  return { code, ...said };
}

test('with DATABASE_URL, commands see the leads of PostgreSQL', async () => {
  const { leads, close } = await openStore({ dataDir, databaseUrl });
  await leads.add(newLead({ name: 'Анна' }), plan);
  await close();
  const { code, stdout } = await korob(['leads', 'export', '--json']);
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { number: 1, name: 'Анна' }]);
});

test('an address that is none is refused, and its password is not repeated', async () => {
  for (const name of ['DATABASE_URL', 'REDIS_URL']) {
    const { code, stderr } = await korob(['leads', 'list'], { [name]: `mysql://korob:${postgresPassword}@host/korob` });
    expect(code).toBe(1);
    expect(stderr).toContain(`${name}: an address such as`);
  }
});

describe('the broadcast', () => {
  test('is switched in the database, and every process sees it within a second', async () => {
    const [one, other] = [await openStore({ dataDir, databaseUrl }), await openStore({ dataDir, databaseUrl })];
    expect(await one.broadcast.current()).toEqual({ status: false });
    expect((await korob(['broadcast', 'status'])).stdout).toBe('off\n');
    expect(await korob(['broadcast', 'on', 'https://video.example/live'])).toMatchObject({ code: 0 });
    expect((await korob(['broadcast', 'status'])).stdout).toBe('on https://video.example/live\n');
    await sleep(1_050);
    const live = { status: true, url: 'https://video.example/live' };
    expect([await one.broadcast.current(), await other.broadcast.current()]).toEqual([live, live]);
    await korob(['broadcast', 'off']);
    expect((await korob(['broadcast', 'status'])).stdout).toBe('off\n');
    await one.close();
    await other.close();
  });

  test('that cannot be read is the last known one, reported once, and again when it is known', async () => {
    const reports: (string | undefined)[] = [];
    const { broadcast, close } = await openStore(
      { dataDir, databaseUrl },
      { report: (error) => void reports.push(error?.name) },
    );
    await broadcast.set({ status: true, url: 'https://video.example/live' });
    const live = await broadcast.current();
    expect(live.status).toBe(true);
    await server.crash();
    await sleep(1_050);
    expect(await broadcast.current()).toEqual(live);
    await server.start();
    await sleep(1_050);
    expect(await broadcast.current()).toEqual(live);
    expect(reports).toEqual(['StoreError', undefined]);
    await close();
  });
});

describe('leads migrate', () => {
  test('moves what SQLite holds, says so, and refuses to do it twice', async () => {
    const { leads, broadcast, close } = await openStore({ dataDir, databaseUrl: undefined });
    const { receipt } = await leads.add(newLead(), { ...plan, channels: ['mail'] });
    await broadcast.set({ status: true, url: 'https://video.example/live' });
    await close();
    const place = databaseUrl.replace(/.*@/, '');
    const moved = await korob(['leads', 'migrate']);
    expect(moved).toMatchObject({ code: 0, stdout: '' });
    expect(moved.stderr).toBe(
      `Moved to ${place}: 1 lead, 1 message about them.\n` +
        `Start the server with DATABASE_URL. What was moved stays in ${movedPath(dataDir)}; delete it when you are sure.\n`,
    );
    expect((await korob(['broadcast', 'status'])).stdout).toBe('on https://video.example/live\n');
    const again = await korob(['leads', 'migrate']);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('there is nothing to move')]);
    const went = 'The leads were moved to PostgreSQL: set DATABASE_URL.';
    // A server that is started without the address must not go on with what is old.
    await expect(openStore({ dataDir, databaseUrl: undefined })).rejects.toThrow(went);
    expect((await korob(['leads', 'list'], {})).stderr).toContain(went);
    const shared = await openStore({ dataDir, databaseUrl });
    expect(await shared.leads.receipt(receipt)).toMatchObject({ number: 1 });
    await shared.close();
  });

  test('without an address or without a file says what is missing', async () => {
    expect((await korob(['leads', 'migrate'], {})).stderr).toMatch(/^DATABASE_URL is not set/);
    expect((await korob(['leads', 'migrate'])).stderr).toMatch(/korob\.sqlite: there is nothing to move/);
  });
});
