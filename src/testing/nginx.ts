import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './server-process.ts';

/** Debian's nginx, which is not on everyone's path. */
export const nginxPath = '/usr/sbin/nginx';

const shipped = join(import.meta.dirname, '../../scripts/deploy/nginx.conf');

export type Nginx = {
  child: ChildProcess;
  /** Its configuration. */
  file: string;
  port: number;
  url: string;
  accessLog(): Promise<string>;
  errorLog(): Promise<string>;
  /** What `nginx -s reload` does; resolves when the new configuration is in force. */
  reload(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts a real nginx on loopback with the configuration that ships; only its
 * ports, folders and user are others.
 *
 * @param upstreamPorts where the application listens; several for several replicas
 * @param editionsDir folder of editions, with the link `current`
 */
export async function startNginx(upstreamPorts: number | readonly number[], editionsDir: string): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'korob-nginx-'));
  const port = await freePort();
  const config = substitute(await readFile(shipped, 'utf8'), [
    ['\nuser www-data;', `\nuser ${userInfo().username};`],
    ['\nworker_processes auto;', '\nworker_processes 2;'],
    ['/run/nginx.pid', join(folder, 'nginx.pid')],
    ['/var/log/nginx/', `${folder}/`],
    ['/var/lib/nginx/', `${folder}/`],
    ['/var/lib/korob/editions', editionsDir],
    ['\n    listen 80 default_server;', `\n    listen 127.0.0.1:${port} default_server;`],
    ['\n    listen [::]:80 default_server;', ''],
    [
      'server 127.0.0.1:3000;',
      [upstreamPorts]
        .flat()
        .map((upstream) => `server 127.0.0.1:${upstream};`)
        .join(' '),
    ],
  ]);
  const file = join(folder, 'nginx.conf');
  await writeFile(file, config);

  const child = spawn(nginxPath, ['-c', file, '-g', 'daemon off;'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  const exited = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const errorLog = () => readFile(join(folder, 'error.log'), 'utf8').catch(() => '');
  const until = async (done: () => Promise<boolean>, what: string) => {
    for (let attempt = 0; attempt < 200; attempt++) {
      if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}:\n${output}${await errorLog()}`);
      if (await done()) return;
      await sleep(25);
    }
    child.kill('SIGTERM');
    throw new Error(`nginx did not ${what} within 5 s:\n${output}${await errorLog()}`);
  };
  await until(() => accepts(port), 'listen');

  return {
    child,
    file,
    port,
    url: `http://127.0.0.1:${port}`,
    accessLog: () => readFile(join(folder, 'access.log'), 'utf8'),
    errorLog,
    async reload() {
      const ended = async () => (await errorLog()).match(/worker process \d+ exited/g)?.length ?? 0;
      const before = await ended();
      child.kill('SIGHUP');
      await until(async () => (await ended()) >= before + 2, 'reload');
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @throws if a text to be replaced is not there, for then the test would not be of the file that ships */
function substitute(text: string, changes: readonly (readonly [from: string, to: string])[]): string {
  return changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`scripts/deploy/nginx.conf has no "${from.trim()}" to be replaced.`);
    return changed.replaceAll(from, () => to);
  }, text);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
