import { execFileSync, spawn } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nginxFiles } from '../operator/commands/nginx.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { systemUser } from './system-user.ts';

/** Debian's nginx, which is not on everyone's path. */
export const nginxPath = '/usr/sbin/nginx';

export type Nginx = {
  /** Where it answers for the site. */
  port: number;
  /** Where it answers by plain http: the same, unless the other speaks TLS. */
  httpPort: number;
  pid: number;
  /** What would be `/etc/nginx`, with `webroot` for certbot's answers, and `own` for all that nginx writes. */
  folder: string;
  accessLog(): Promise<string>;
  /** With what it said before there was a log. */
  errorLog(): Promise<string>;
  /** What its cache holds, by key. */
  kept(): Promise<string[]>;
  /** Has it read its configuration anew; resolves once nobody is answered by the one before. */
  reload(): Promise<void>;
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
  /** The address of the site, https, and where plain http is answered; without these, the site is on plain http. */
  tls?: { siteUrl: string; httpPort: number } | undefined;
};

/** Writes the configuration that ships for Debian, with other ports and folders. @returns its file */
export async function writeNginxConfig({ folder, port, first, second, tls }: Place): Promise<string> {
  const own = join(folder, 'own');
  const shipped = nginxFiles(tls?.siteUrl ?? 'https://example.ru', 'debian');
  const unused = ['proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${own}/${name}; `);
  const shippedOf = (name: string, changes: Changes) => substitute(shipped[name] ?? '', changes);
  const main = shippedOf('nginx.conf', [
    ['\nworker_processes auto;', '\nworker_processes 2;'],
    ['/run/nginx/', `${own}/`],
    ['/var/log/nginx/', `${own}/`],
    ['/var/lib/nginx/', `${own}/`],
    ['/etc/nginx/', `${folder}/`],
    // Debian has these where nginx may write only once root has started it; none is ever used.
    ['\n  client_body_temp_path ', `\n  ${unused.join('')}client_body_temp_path `],
  ]);
  const servers = [first].flat().map((upstream) => `server 127.0.0.1:${upstream} max_fails=0;`);
  const site = shippedOf('site.conf', [
    ['server 127.0.0.1:3000 max_fails=0;', servers.join(' ')],
    ['127.0.0.1:3000 ', `127.0.0.1:${[first].flat()[0]} `],
    ['127.0.0.1:3001 ', `127.0.0.1:${second} `],
    ['  listen 80 ', `  listen 127.0.0.1:${tls?.httpPort} `],
    ['  listen [::]:80 default_server;\n', ''],
    ['  listen 443 ', `  listen 127.0.0.1:${port} `],
    ['  listen [::]:443 ssl http2;\n', ''],
    ['/var/www/html', join(folder, 'webroot')],
  ]);
  const listen = shippedOf('listen.conf', [
    ['\nlisten 443 ', `\nlisten 127.0.0.1:${port} `],
    ['listen [::]:443 ssl http2 default_server;\n', ''],
  ]);
  const processes = /^upstream korob \{.*?^\}$/ms.exec(site)?.[0] ?? '';
  await mkdir(own);
  await writeFile(join(folder, 'nginx.conf'), main);
  await writeFile(join(folder, 'site.conf'), tls ? site : processes);
  await writeFile(join(folder, 'listen.conf'), tls ? listen : `listen 127.0.0.1:${port};`);
  await writeFile(join(folder, 'unavailable.html'), shipped['unavailable.html'] ?? '');
  return join(folder, 'nginx.conf');
}

/**
 * Starts a real nginx on loopback with the configuration that ships; see `Place` for what differs. Where tests run as
 * root, nginx runs as Debian's www-data, which may write `own` and nothing else.
 *
 * @param siteUrl the address of the site, to speak TLS with a certificate that is made for it
 */
export async function startNginx(first: Place['first'], second?: number, siteUrl?: string): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'korob-nginx-'));
  const port = await freePort();
  const httpPort = siteUrl ? await freePort() : port;
  const tls = siteUrl ? { siteUrl, httpPort } : undefined;
  const file = await writeNginxConfig({ folder, port, first, second: second ?? (await freePort()), tls });
  const user = systemUser('www-data');
  await chmod(folder, 0o755);
  if (siteUrl) await makeCertificate(join(folder, 'tls'), new URL(siteUrl).hostname, user?.gid);
  if (user) await chown(join(folder, 'own'), user.uid, user.gid);
  // Tests read the log at once.
  await writeFile(file, substitute(await readFile(file, 'utf8'), [[' buffer=64k flush=1s;', ';']]));
  const child = spawn(nginxPath, ['-c', file, '-g', 'daemon off;'], { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  const exited = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const errorLog = async () => output + (await readFile(join(folder, 'own/error.log'), 'utf8').catch(() => ''));
  try {
    await eventually(async () => child.exitCode !== null || (await accepts(port)), true, 'nginx listens');
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}.`);
  } catch (cause) {
    child.kill('SIGTERM');
    throw new Error(`nginx does not listen:\n${await errorLog()}`, { cause });
  }

  return {
    port,
    httpPort,
    pid: child.pid ?? 0,
    folder,
    accessLog: () => readFile(join(folder, 'own/access.log'), 'utf8'),
    errorLog,
    async kept() {
      const files = await readdir(join(folder, 'own/korob'), { recursive: true, withFileTypes: true });
      const read = files
        .filter((file) => file.isFile())
        .map((file) => readFile(join(file.parentPath, file.name), 'latin1'));
      return (await Promise.all(read)).map((text) => /^KEY: (.*)$/m.exec(text)?.[1] ?? '').sort();
    },
    async reload() {
      const children = async () =>
        (await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')).trim().split(' ');
      const old = await children();
      child.kill('SIGHUP');
      const left = async () => (await children()).filter((one) => old.includes(one));
      await eventually(left, [], 'workers with the configuration before');
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** As nginx.service copies it: nginx may read the key and not write it. */
async function makeCertificate(folder: string, name: string, gid = -1): Promise<void> {
  const [key, certificate] = [join(folder, 'privkey.pem'), join(folder, 'fullchain.pem')];
  await mkdir(folder);
  const names = `subjectAltName=DNS:${name},DNS:www.${name}`;
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-days', '1'];
  const about = ['-subj', `/CN=${name}`, '-addext', names, '-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', ...kind, ...about], { stdio: 'pipe' });
  await chown(key, -1, gid);
  await chmod(key, 0o640);
}

type Changes = readonly (readonly [from: string, to: string])[];

/** @throws if a text to be replaced is not there, for then the test would not be of the file that ships */
function substitute(text: string, changes: Changes): string {
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
