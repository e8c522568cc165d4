import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';

/** Debian's nginx, which is not on everyone's path. */
export const nginxPath = '/usr/sbin/nginx';

const shipped = join(import.meta.dirname, '../../scripts/deploy');

export type Nginx = {
  port: number;
  accessLog(): Promise<string>;
  errorLog(): Promise<string>;
  /** What its cache holds, by key. */
  kept(): Promise<string[]>;
  stop(): Promise<void>;
};

/** Where a configuration differs from the one that ships. */
type Place = {
  /** For the configuration and all that nginx writes. */
  folder: string;
  port: number;
  /** Where the application listens; several for several processes, which share the load. */
  first: number | readonly number[];
  /** Where another process may listen that takes the place of the first. */
  second: number;
};

/** Writes the configuration that ships, with other ports, folders and user. @returns its file */
export async function writeNginxConfig({ folder, port, first, second }: Place): Promise<string> {
  const config = substitute(await readFile(join(shipped, 'nginx.conf'), 'utf8'), [
    ['\nuser www-data;', `\nuser ${userInfo().username};`],
    ['\nworker_processes auto;', '\nworker_processes 2;'],
    ['/run/nginx.pid', join(folder, 'nginx.pid')],
    ['/var/log/nginx/', `${folder}/`],
    ['/var/lib/nginx/', `${folder}/`],
    ['/etc/nginx/', `${shipped}/`],
    ['\n    listen 80 default_server;', `\n    listen 127.0.0.1:${port} default_server;`],
    ['\n    listen [::]:80 default_server;', ''],
  ]);
  const servers = [first].flat().map((upstream) => `server 127.0.0.1:${upstream} max_fails=0;`);
  const upstream = substitute(await readFile(join(shipped, 'upstream.conf'), 'utf8'), [
    ['server 127.0.0.1:3000 max_fails=0;', servers.join(' ')],
    ['127.0.0.1:3001 ', `127.0.0.1:${second} `],
  ]);
  const file = join(folder, 'nginx.conf');
  await writeFile(file, config);
  await writeFile(join(folder, 'upstream.conf'), upstream);
  return file;
}

/** Starts a real nginx on loopback with the configuration that ships; see `Place` for what differs. */
export async function startNginx(first: Place['first'], second?: number): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'korob-nginx-'));
  const port = await freePort();
  const file = await writeNginxConfig({ folder, port, first, second: second ?? (await freePort()) });
  // Tests read the log at once.
  await writeFile(file, substitute(await readFile(file, 'utf8'), [[' buffer=64k flush=1s;', ';']]));
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
    port,
    accessLog: () => readFile(join(folder, 'access.log'), 'utf8'),
    errorLog,
    async kept() {
      const files = await readdir(join(folder, 'korob'), { recursive: true, withFileTypes: true });
      const read = files
        .filter((file) => file.isFile())
        .map((file) => readFile(join(file.parentPath, file.name), 'latin1'));
      return (await Promise.all(read)).map((text) => /^KEY: (.*)$/m.exec(text)?.[1] ?? '').sort();
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
    if (!changed.includes(from)) throw new Error(`scripts/deploy has no "${from.trim()}" to be replaced.`);
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
