import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { ifAble, withImage } from './stand-in.ts';

// node scripts/try-image.ts [IMAGE]: starts an image that buildah has built as compose.yaml does, without Docker: as its
// user, on a root that nobody may write, with no capabilities; asks its health check, publishes, and ends it. As root;
// needs buildah and bubblewrap. The image has to have been built with --format docker, or it has no health check.
//
// Without IMAGE it first builds the Dockerfile, as stand-in.ts does, and leaves nothing of that. A machine that cannot
// do so says why, and has not failed.

type Config = { User: string; Env: string[]; Cmd: string[]; WorkingDir: string; Healthcheck?: { Test: string[] } };

const beginning = performance.now();
const [image] = process.argv.slice(2);
await (image === undefined ? ifAble('no image was built and tried', () => withImage(tryImage)) : tryImage(image));

/** @throws if it does not do what compose.yaml and operators count on */
async function tryImage(image: string): Promise<void> {
  step(`${image} is there`, beginning);
  const { config } = JSON.parse(buildah('inspect', '--type', 'image', image)).Docker as { config: Config };
  const [uid = '', gid = uid] = config.User.split(':');
  if (Number(uid) === 0 || uid === '') throw new Error(`${image} is run as root.`);
  const [, ...check] = config.Healthcheck?.Test ?? [];
  if (check.length === 0) throw new Error(`${image} has no health check; build it with --format docker.`);
  const container = buildah('from', image);
  const root = buildah('mount', container);
  const data = mkdtempSync(join(tmpdir(), 'korob-image-'));
  chownSync(data, Number(uid), Number(gid));
  const port = await freePort();
  const env = [...config.Env, `PORT=${port}`, 'HOST=127.0.0.1'];

  /** The line that does something within the image. */
  function within(command: readonly string[], more: readonly string[] = [], options: readonly string[] = []): string[] {
    const mounts = ['--ro-bind', root, '/', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'];
    const place = ['--bind', data, '/var/lib/korob', '--chdir', config.WorkingDir, '--clearenv', '--die-with-parent'];
    const set = [...env, ...more].flatMap((one) => ['--setenv', one.replace(/=.*/s, ''), one.replace(/^.*?=/, '')]);
    const ids = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
    const asUser = ['setpriv', ...ids, '--no-new-privs', '--bounding-set=-all'];
    return [...options, ...mounts, ...place, ...set, '--', ...asUser, ...command];
  }
  const run = (command: readonly string[], more?: readonly string[]) =>
    spawnSync('bwrap', within(command, more), { encoding: 'utf8' });

  let end = () => {};
  try {
    if (statSync(join(root, 'var/lib/korob')).uid !== Number(uid)) throw new Error('Its volume would not be its own.');
    const started = performance.now();
    const server = spawn('bwrap', within(config.Cmd, [], ['--info-fd', '3']), {
      stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    });
    const ended = once(server, 'exit');
    const { 'child-pid': pid } = JSON.parse(await text(server.stdio[3] as Readable)) as { 'child-pid': number };
    end = () => {
      if (server.exitCode === null) process.kill(pid, 'SIGKILL');
    };
    while (run(check).status !== 0) {
      if (server.exitCode !== null || performance.now() - started > 60_000)
        throw new Error('It does not become healthy.');
      await sleep(100);
    }
    step('healthy', started);
    const page = await fetch(`http://127.0.0.1:${port}/`);
    if (!page.ok) throw new Error(`Its first page is ${page.status}.`);
    if (run(['touch', '/app/dist/x']).status === 0 || !existsSync(join(data, 'korob.sqlite')))
      throw new Error('It writes where it should not, or not where it should.');

    const publishing = performance.now();
    const published = run(['node', 'dist/cli.js', 'publish'], ['SITE_URL=https://other.example']);
    if (published.status !== 0 || /Fontconfig/.test(published.stderr)) throw new Error(published.stderr);
    step('published for another address', publishing);

    const stopping = performance.now();
    process.kill(pid, 'SIGTERM');
    const [exitCode] = await ended;
    step(`ended with ${exitCode}`, stopping);
    if (exitCode !== 0) throw new Error('It does not drain when it is told to end.');
  } finally {
    end();
    buildah('rm', container);
    rmSync(data, { recursive: true });
  }
}

function buildah(...args: string[]): string {
  return execFileSync('buildah', args, { encoding: 'utf8' }).trim();
}

function step(what: string, since: number): void {
  process.stderr.write(`${what}: ${((performance.now() - since) / 1000).toFixed(1)} s\n`);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
