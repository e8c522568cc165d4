import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nginxFiles } from '../../commands/nginx-command.ts';
import { filesBelow } from '../../lib/files.ts';
import { atEnd } from './at-end.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { requirePath } from './programs.ts';
import { systemUser } from './system-user.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type Nginx = {
  /** The port of the site. */
  port: number;
  /** The port for plain http, which equals `port` without TLS. */
  httpPort: number;
  /** Replaces `/etc/nginx`, with `webroot` for the answers of certbot and `own` for all files that nginx writes. */
  folder: string;
  /** The ids of the main process and its workers. */
  processes(): number[];
  accessLog(): string;
  /** Includes the output from before the log existed. */
  errorLog(): string;
  /** The keys of all cached answers. */
  kept(): string[];
  /** Reloads the configuration; resolves once no worker uses the previous one. */
  reload(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts a real nginx on loopback with the shipped Debian configuration, except for ports and folders. If tests run as
 * root, nginx runs as www-data, which may write only `own`. Stops it after the tests of the file.
 *
 * @param first the port of the application; several ports for processes that share the load
 * @param second the port of a process that may replace the first
 * @param siteUrl the address of the site; nginx then speaks TLS with a certificate for it
 */
export async function startNginx(first: number | number[], second = 9, siteUrl?: string): Promise<Nginx> {
  const folder = temporaryFolder();
  const own = join(folder, 'own');
  const port = await freePort();
  const httpPort = siteUrl ? await freePort() : port;
  const user = systemUser('www-data');
  chmodSync(folder, 0o755);
  mkdirSync(own);
  if (user) chownSync(own, user.uid, user.gid);
  if (siteUrl) makeCertificate(join(folder, 'tls'), new URL(siteUrl).hostname, { gid: user?.gid });

  const shipped = nginxFiles(siteUrl ?? 'https://example.ru', 'debian');
  const write = (name: string, changes: Changes) =>
    writeFileSync(join(folder, name), substitute(shipped[name] ?? '', changes));
  // On Debian, nginx can write to these only if root starts it. None is ever used.
  const unused = ['proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${own}/${name}; `);
  write('nginx.conf', [
    ['\nworker_processes auto;', '\nworker_processes 2;'],
    ['/run/nginx/', `${own}/`],
    ['/var/log/nginx/', `${own}/`],
    ['/var/lib/nginx/', `${own}/`],
    ['/etc/nginx/', `${folder}/`],
    ['\n  client_body_temp_path ', `\n  ${unused.join('')}client_body_temp_path `],
    // A process that hangs must not delay a test.
    ['proxy_read_timeout 15s;', 'proxy_read_timeout 2s;'],
    ['proxy_next_upstream_timeout 10s;', 'proxy_next_upstream_timeout 3s;'],
    // Tests read the log at once.
    [' buffer=64k flush=1s;', ';'],
  ]);
  const ports = [first].flat();
  write('site.conf', [
    ['server 127.0.0.1:3000 max_fails=0;', ports.map((each) => `server 127.0.0.1:${each} max_fails=0;`).join(' ')],
    ['127.0.0.1:3000 ', `127.0.0.1:${ports[0]} `],
    ['127.0.0.1:3001 ', `127.0.0.1:${second} `],
    ['  listen 80 ', `  listen 127.0.0.1:${httpPort} `],
    ['  listen [::]:80 default_server;\n', ''],
    ['  listen 443 ', `  listen 127.0.0.1:${port} `],
    ['  listen [::]:443 ssl http2;\n', ''],
    ['/var/www/html', join(folder, 'webroot')],
  ]);
  write('listen.conf', [
    ['\nlisten 443 ', `\nlisten 127.0.0.1:${port} `],
    ['listen [::]:443 ssl http2 default_server;\n', ''],
  ]);
  write('unavailable.html', []);
  if (!siteUrl) {
    const site = join(folder, 'site.conf');
    writeFileSync(site, /^upstream korob \{.*?^\}$/ms.exec(readFileSync(site, 'utf8'))?.[0] ?? '');
    writeFileSync(join(folder, 'listen.conf'), `listen 127.0.0.1:${port};`);
  }

  const command = ['-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'];
  const child = spawn(requirePath('nginx'), command, { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  const exited = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  await once(child, 'spawn');
  const stop = () => {
    child.kill('SIGTERM');
    return exited;
  };
  atEnd(stop);
  const logged = (name: string) => (existsSync(join(own, name)) ? readFileSync(join(own, name), 'utf8') : '');
  const errorLog = () => output + logged('error.log');
  // nginx writes this file once it listens.
  await eventually(() => child.exitCode !== null || existsSync(join(own, 'nginx.pid')), true, 'nginx listens');
  if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}:\n${errorLog()}`);

  const workers = () =>
    readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ').map(Number);
  return {
    port,
    httpPort,
    folder,
    processes: () => [child.pid ?? 0, ...workers()],
    accessLog: () => logged('access.log'),
    errorLog,
    kept: () =>
      filesBelow(join(own, 'korob')).map((path) => /^KEY: (.*)$/m.exec(readFileSync(path, 'latin1'))?.[1] ?? ''),
    async reload() {
      const old = workers();
      child.kill('SIGHUP');
      await eventually(() => workers().filter((one) => old.includes(one)), [], 'workers with the configuration before');
    },
    stop,
  };
}

type CertificateOptions = { gid?: number | undefined; days?: number };

/** Like the copy that nginx.service makes: nginx may read the key but not write it. */
export function makeCertificate(folder: string, name: string, { gid = -1, days = 1 }: CertificateOptions = {}): void {
  const [key, certificate] = [join(folder, 'privkey.pem'), join(folder, 'fullchain.pem')];
  mkdirSync(folder);
  const names = `subjectAltName=DNS:${name},DNS:www.${name}`;
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-days', String(days)];
  const about = ['-subj', `/CN=${name}`, '-addext', names, '-keyout', key, '-out', certificate];
  execFileSync(requirePath('openssl'), ['req', ...kind, ...about], { stdio: 'pipe' });
  chownSync(key, -1, gid);
  chmodSync(key, 0o640);
}

type Changes = readonly (readonly [from: string, to: string])[];

/** @throws if the text to replace is missing, because the test would then not cover the shipped file */
function substitute(text: string, changes: Changes): string {
  return changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`scripts/deploy has no "${from.trim()}" to be replaced.`);
    return changed.replaceAll(from, () => to);
  }, text);
}
