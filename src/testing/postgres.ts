import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { atEnd } from './at-end.ts';
import { freePort } from './free-port.ts';
import { systemUser } from './system-user.ts';

/** Debian keeps each version in a folder of its own, and none on the path. */
const programs = globSync('/usr/lib/postgresql/*/bin').sort().at(-1);
/** Tests that start PostgreSQL need this program. */
export const initdbPath = programs ? join(programs, 'initdb') : 'initdb';
const serverPath = programs ? join(programs, 'postgres') : 'postgres';

export type PostgresServer = {
  port: number;
  /** Makes an empty database and returns its address, password included. */
  newDatabase(encoding?: string): Promise<string>;
  /** Ends every process of the server at once, as a crash would; what is not on disk is gone. */
  crash(): Promise<void>;
  /** Starts it again; resolves when it lets clients in. */
  start(): Promise<void>;
};

/** Stands in every `DATABASE_URL`; must stand nowhere else. */
export const postgresPassword = 'PasswordCanary';

/** Starts a real PostgreSQL on loopback in a temporary folder. Its settings are careless; clients overrule them. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'korob-postgres-'));
  const user = systemUser('postgres');
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, postgresPassword);
  const cluster = ['--pgdata', data, '--username', 'korob', '--pwfile', passwordFile, '--auth', 'scram-sha-256'];
  const locale = ['--encoding', 'UTF8', '--locale', 'C.UTF-8'];
  execFileSync(initdbPath, [...cluster, ...locale, '--no-sync'], { ...user, cwd: folder, stdio: 'pipe' });
  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'synchronous_commit=off'];
  const url = (name: string) => `postgres://korob:${postgresPassword}@127.0.0.1:${port}/${name}`;
  let child: ChildProcess | undefined;
  let output = '';
  let databases = 0;

  async function admin(statement: string): Promise<void> {
    const client = new pg.Client({ connectionString: url('postgres'), connectionTimeoutMillis: 2_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query(statement);
    } finally {
      await client.end();
    }
  }

  async function start(): Promise<void> {
    const flags = settings.flatMap((setting) => ['-c', setting]);
    const started = spawn(serverPath, ['-D', data, '-p', String(port), ...flags], {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child = started;
    started.stderr.on('data', (chunk: Buffer) => {
      output += chunk;
    });
    for (let attempt = 0; attempt < 400; attempt++) {
      if (started.exitCode !== null) throw new Error(`PostgreSQL ended with ${started.exitCode}:\n${output}`);
      const ready = await admin('SELECT 1').then(
        () => true,
        () => false,
      );
      if (ready) return;
      await sleep(25);
    }
    throw new Error(`PostgreSQL did not let clients in:\n${output}`);
  }

  async function end(signal: 'SIGQUIT' | 'SIGINT'): Promise<void> {
    const running = child;
    if (!running || running.exitCode !== null) return;
    const exited = new Promise((resolve) => running.once('exit', resolve));
    running.kill(signal);
    await exited;
  }

  await start();
  atEnd(async () => {
    await end('SIGINT');
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    port,
    async newDatabase(encoding = 'UTF8') {
      const name = `korob_${++databases}`;
      await admin(`CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`);
      return url(name);
    },
    crash: () => end('SIGQUIT'),
    start,
  };
}
