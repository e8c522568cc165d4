import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** This machine cannot build an image, which says nothing about the image. */
export class Unable extends Error {}

const root = join(import.meta.dirname, '..');
/** Of Debian, what the build and the server use of the official image of Node. */
const packages = 'base-files,coreutils,dash,libatomic1,libc6,libstdc++6,sed,util-linux';
const base = 'localhost/korob-stand-in';
const image = 'localhost/korob';

/**
 * Builds the Dockerfile without a registry of images, as root: Debian of this machine's release, with the Node of the
 * lock file and the npm of this machine, stands in for the official image of Node. Packages come as npm is set up here,
 * by mounts that leave nothing in the image.
 *
 * @param use is given the image, and `buildah` of this process knows that alone; nothing is left of it afterwards
 * @throws {Unable} unless this machine can make and enter the stand-in, and reach npm from it
 * @throws if the Dockerfile cannot be built
 */
export async function withImage(use: (image: string) => Promise<void>): Promise<void> {
  demand('buildah', 'mmdebstrap', 'bwrap', 'npm');
  const folder = mkdtempSync(join(tmpdir(), 'korob-store-'));
  const places = ['graph', 'run'].map((name) => `${name}root = ${JSON.stringify(join(folder, name))}\n`);
  const file = join(folder, 'storage.conf');
  const setDriver = (name: string) => writeFileSync(file, `[storage]\ndriver = "${name}"\n${places.join('')}`);
  process.env.CONTAINERS_STORAGE_CONF = file;
  try {
    setDriver('overlay');
    // There is no overlay over another one, which a build machine in a container may have.
    if (spawnSync('buildah', ['info']).status !== 0) setDriver('vfs');
    const mounts = npmMounts(folder);
    makeBase(mounts);
    const build = ['build', '--format=docker', '--isolation=chroot', '--pull-never', `--build-arg=NODE=${base}`];
    run('buildah', ...build, '--target=app', ...mounts, `--tag=${image}`, root);
    await use(image);
  } finally {
    spawnSync('buildah', ['rm', '--all']); // They are mounted.
    rmSync(folder, { recursive: true });
    delete process.env.CONTAINERS_STORAGE_CONF;
  }
}

function makeBase(mounts: readonly string[]): void {
  try {
    run('bwrap', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', 'true');
    const container = run('buildah', 'from', 'scratch');
    const system = run('buildah', 'mount', container);
    const release = /^VERSION_CODENAME=(.*)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'stable';
    unpackDebian(system, release, packages);
    for (const name of ['usr/local/bin', 'usr/local/lib/node_modules'])
      mkdirSync(join(system, name), { recursive: true });
    cpSync(join(root, 'node_modules/node/bin/node'), join(system, 'usr/local/bin/node'));
    const npm = dirname(dirname(realpathSync(run('which', 'npm'))));
    cpSync(npm, join(system, 'usr/local/lib/node_modules/npm'), { recursive: true });
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(system, 'usr/local/bin/npm'));
    run('buildah', 'config', '--env=PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', container);
    run('buildah', 'commit', '--quiet', '--disable-compression', container, base);
    run('buildah', 'run', '--isolation=chroot', ...mounts, container, 'npm', 'view', 'node', 'version');
    run('buildah', 'rm', container);
  } catch (error) {
    throw new Unable(Error.isError(error) ? error.message : String(error));
  }
}

/** Unpacks packages and what they need; nothing that they run when they are set up is run, but there is a root. */
export function unpackDebian(folder: string, release: string, packages: string): void {
  // The clock of a build machine may be ahead of the mirror's.
  const options = ['--quiet', '--variant=extract', '--aptopt=Acquire::Check-Valid-Until "false"'];
  run('mmdebstrap', ...options, `--include=${packages}`, release, folder);
  mkdirSync(join(folder, 'root'), { recursive: true });
  appendFileSync(join(folder, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
}

/** @throws {Unable} unless this machine has these programs, and this process is root */
export function demand(...programs: string[]): void {
  const absent = programs.filter((one) => spawnSync('which', [one]).status !== 0);
  if (absent.length > 0) throw new Unable(`${absent.join(', ')} is missing`);
  if (process.getuid?.() !== 0) throw new Unable('it takes root');
}

/** Has `work` done, unless this machine cannot: that is said, and is no failure. */
export async function ifAble(what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Unable)) throw error;
    process.stderr.write(`SKIPPED: ${what}, for this machine cannot: ${error.message}\n`);
  }
}

/** What npm within a build shares with the one outside: where packages come from, who may have them, and its cache. */
function npmMounts(folder: string): string[] {
  const setting = (name: string) => run('npm', 'config', 'get', name).replace(/^(?:null|undefined)$/, '');
  const [authorities, cache] = [setting('cafile') || process.env.NODE_EXTRA_CA_CERTS, setting('cache')];
  const own = readFile(setting('userconfig')).replace(/\$\{(\w+)\}/g, (_, name) => process.env[name] ?? '');
  const lines = [own, `registry=${setting('registry')}`, authorities ? 'cafile=/run/authorities.pem' : ''];
  const file = join(folder, 'npmrc');
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  mkdirSync(cache, { recursive: true });
  const mounted = [`${file}:/root/.npmrc:ro`, `${cache}:/root/.npm`];
  if (authorities) mounted.push(`${authorities}:/run/authorities.pem:ro`);
  return mounted.map((one) => `--volume=${one}`);
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** @returns what it prints. @throws with the end of what it says */
export function run(command: string, ...args: string[]): string {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    timeout: 900_000,
  });
  if (status === 0) return stdout.trim();
  const said = error?.message ?? `${stdout}${stderr}`.trim().slice(-3_000);
  throw new Error(`${command} ${args.find((one) => !one.startsWith('-')) ?? ''} failed:\n${said}`, { cause: error });
}
