import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { atEnd } from './at-end.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { requirePath } from './programs.ts';
import { systemUser } from './system-user.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type PostgresServer = {
  port: number;
  /** Creates an empty database and returns its address, password included. */
  newDatabase(encoding?: string): Promise<string>;
  /** Kills every process of the server at once, like a crash; data that is not on disk is lost. */
  crash(): Promise<void>;
  /** Starts it again; resolves when it accepts clients. */
  start(): Promise<void>;
};

/** A busy machine takes seconds to fork a process for a connection. */
const connectTimeoutMs = 20_000;

/** Part of every `DATABASE_URL`; must not appear anywhere else. */
export const postgresPassword = 'PasswordCanary';

/** Starts a real PostgreSQL on loopback in a temporary folder. Its settings are not durable; clients override them. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = temporaryFolder();
  const user = systemUser('postgres');
  if (user) chownSync(folder, user.uid, user.gid);
  const programs = programsFor(user, folder);
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, postgresPassword);
  const cluster = ['--pgdata', data, '--username', 'korob', '--pwfile', passwordFile, '--auth', 'scram-sha-256'];
  const locale = ['--encoding', 'UTF8', '--locale', 'C.UTF-8'];
  execFileSync(join(programs, 'initdb'), [...cluster, ...locale, '--no-sync'], { ...user, cwd: folder, stdio: 'pipe' });
  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'synchronous_commit=off'];
  const url = (name: string) => `postgres://korob:${postgresPassword}@127.0.0.1:${port}/${name}`;
  let output = '';
  let running: { child: ChildProcess; exited: Promise<unknown> } | undefined;
  let databases = 0;

  async function admin(statement: string): Promise<void> {
    const client = new pg.Client({ connectionString: url('postgres'), connectionTimeoutMillis: connectTimeoutMs });
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
    const child = spawn(join(programs, 'postgres'), ['-D', data, '-p', String(port), ...flags], {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await once(child, 'spawn');
    running = { child, exited: once(child, 'exit') };
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk;
    });
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}:\n${output}`);
      return admin('SELECT 1').then(
        () => true,
        () => false,
      );
    });
  }

  async function end(signal: 'SIGQUIT' | 'SIGINT'): Promise<void> {
    running?.child.kill(signal);
    await running?.exited;
  }

  atEnd(() => end('SIGINT'));
  await start();
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

/** Returns the folder of `initdb` and `postgres`. Another user gets a copy if it may lack access to the folder. */
function programsFor(user: ReturnType<typeof systemUser>, folder: string): string {
  const programs = dirname(realpathSync(requirePath('postgres')));
  if (!user || programs.startsWith('/usr/')) return programs;
  cpSync(dirname(programs), join(folder, 'postgres'), { recursive: true, verbatimSymlinks: true });
  return join(folder, 'postgres/bin');
}

let shared: Promise<PostgresServer> | undefined;

/** The server that the tests of a file share. It starts on first use. */
export function sharedPostgres(): Promise<PostgresServer> {
  shared ??= startPostgres().catch((error) => {
    shared = undefined;
    throw error;
  });
  return shared;
}
