import { execFile, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { nginxFiles } from '../src/http/nginx-files.ts';
import { demand, ifAble, run, Unable, unpackDebian } from './stand-in.ts';

// node scripts/try-web.ts: starts nginx with the files that the image of compose.yaml has, and asks it by HTTP/1.1, 2 and
// 3, in a network of its own, where it has its own ports and the containers' name server. As the official image is not
// to be had without a registry, both nginx and curl come from Debian's next release; that nginx lacks the module that
// gets certificates, so it has one of its own, as site-compose.conf says. As root; needs mmdebstrap and bubblewrap.

const site = 'korob.example';
/** The user that nginx is in the official image. */
const nginxUser = 101;
/** What compose.yaml sets, so that nginx needs no root for its ports. */
const firstPort = '/proc/sys/net/ipv4/ip_unprivileged_port_start';

const [root] = process.argv.slice(2);
await (root === undefined ? ifAble('nginx of compose.yaml was not tried', tryWeb) : ask(root));

async function tryWeb(): Promise<void> {
  demand('mmdebstrap', 'bwrap', 'openssl');
  const folder = mkdtempSync(join(tmpdir(), 'korob-web-'));
  const isolated = ['--unshare-net', '--die-with-parent', '--dev-bind', '/', '/'];
  try {
    unpack(folder, isolated);
    setUp(folder);
    const [program = '', script = ''] = process.argv;
    const asking = spawn('bwrap', [...isolated, program, script, folder], { stdio: 'inherit' });
    const [status] = await once(asking, 'exit');
    if (status !== 0) throw new Error('nginx of compose.yaml does not do what it should.');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @throws {Unable} */
function unpack(folder: string, isolated: readonly string[]): void {
  try {
    run('bwrap', ...isolated, 'sh', '-c', `echo 0 > ${firstPort}`);
    unpackDebian(folder, 'testing', 'base-files,coreutils,curl,nginx');
  } catch (error) {
    throw new Unable(Error.isError(error) ? error.message : String(error));
  }
}

function setUp(folder: string): void {
  const etc = join(folder, 'etc/nginx');
  rmSync(etc, { recursive: true });
  mkdirSync(join(etc, 'tls'), { recursive: true });
  for (const [name, text] of Object.entries(nginxFiles(`https://${site}`, 'compose')))
    writeFileSync(join(etc, name), withOwnCertificate(text));
  const [key, certificate] = ['privkey.pem', 'fullchain.pem'].map((name) => join(etc, 'tls', name));
  const names = `subjectAltName=DNS:${site},DNS:www.${site}`;
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-days', '1'];
  run(
    'openssl',
    'req',
    ...kind,
    '-subj',
    `/CN=${site}`,
    '-addext',
    names,
    '-keyout',
    `${key}`,
    '-out',
    `${certificate}`,
  );
  chmodSync(folder, 0o755);
  chownSync(`${key}`, nginxUser, nginxUser);
  for (const name of ['run/nginx', 'var/cache/nginx', 'var/lib/nginx', 'var/log/nginx']) {
    mkdirSync(join(folder, name), { recursive: true });
    chownSync(join(folder, name), nginxUser, nginxUser);
  }
}

/** As site-compose.conf has it done by hand; and without the module. */
function withOwnCertificate(text: string): string {
  return text
    .replace('$acme_certificate;', '/etc/nginx/tls/fullchain.pem;')
    .replace('$acme_certificate_key;', '/etc/nginx/tls/privkey.pem;')
    .replaceAll(/^.*acme_certificate.*\n/gm, '')
    .replace(/^acme_issuer .*?^\}\n/ms, '');
}

/** Within the network of its own. @throws if nginx answers otherwise than it should */
async function ask(folder: string): Promise<void> {
  writeFileSync(firstPort, '0');
  nameServer();
  const application = createServer((_, res) => res.end('page')).listen(3000, '127.0.0.1');
  const inside = ['--die-with-parent', '--unshare-pid', '--bind', folder, '/', '--dev', '/dev', '--proc', '/proc'];
  const asNginx = ['chroot', `--userspec=${nginxUser}:${nginxUser}`, '/', 'nginx', '-g', 'daemon off;'];
  const nginx = spawn('bwrap', [...inside, ...asNginx], { stdio: ['ignore', 'inherit', 'inherit'] });
  const hosts = [site, `www.${site}`].flatMap((name) => [80, 443].map((port) => `--resolve=${name}:${port}:127.0.0.1`));
  const told = '%{stderr}%{http_version} %{response_code} %{redirect_url} %header{alt-svc}';
  const curl = async (...args: string[]) => {
    const all = ['--silent', '--max-time', '10', '--cacert', '/etc/nginx/tls/fullchain.pem', `--write-out=${told}`];
    const asking = promisify(execFile)('bwrap', [...inside, 'curl', ...all, ...hosts, ...args]);
    return asking.then(
      ({ stderr }) => stderr.trim(),
      (error: Error) => error.message,
    );
  };
  const expected: readonly (readonly [answer: string, ...args: string[]])[] = [
    ['2 200  h3=":443"; ma=86400', `https://${site}/`],
    ['1.1 200  h3=":443"; ma=86400', '--http1.1', `https://${site}/`],
    ['3 200  h3=":443"; ma=86400', '--http3-only', `https://${site}/rates`],
    ['3 404', '--http3-only', `https://${site}/readyz`],
    ['3 200  h3=":443"; ma=86400', '--http3-only', '--data', 'name=a', `https://${site}/contact`],
    [`2 301 https://${site}/rates?a=b`, `https://www.${site}/rates?a=b`],
    [`1.1 301 https://${site}/rates?a=b`, `http://www.${site}/rates?a=b`],
    [`1.1 301 https://${site}/`, '--header', 'Host: evil.example', `http://${site}/`],
  ];
  try {
    const until = performance.now() + 10_000;
    while (!(await curl(`https://${site}/healthz`)).startsWith('2 200') && performance.now() < until) await sleep(100);
    for (const [answer, ...args] of expected) {
      const given = await curl(...args);
      if (given !== answer) throw new Error(`curl ${args.join(' ')}: ${given}, and not ${answer}`);
      process.stderr.write(`${args.join(' ')}: ${given}\n`);
    }
  } finally {
    nginx.kill();
    application.close();
  }
}

/** The one of containers, for which every name is this machine. */
function nameServer(): void {
  const server = createSocket('udp4').unref();
  server.on('message', (query, { port, address }) => {
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const head = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]);
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 127, 0, 0, 1]);
    server.send(Buffer.concat([head, question, answer]), port, address);
  });
  server.bind(53, '127.0.0.11');
}
