import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { paths } from '../paths.ts';
import { siteUrl } from './test-site.ts';

export type ServerProcess = {
  child: ChildProcess;
  port: number;
  url: string;
  dataDir: string;
  /** Standard output and error so far. */
  output(): string;
  /** Resolves to the exit code; `null` after a signal. */
  exited: Promise<number | null>;
};

/**
 * A loopback port that was free a moment ago. It lies below those that the system lends to clients, so that no
 * client has taken it when the server gets there.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_768);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().on('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

/**
 * Starts `dist/main.js` as production does and waits until it serves.
 *
 * @param env environment besides `PORT`, `HOST`, `SITE_URL` and `DATA_DIR`, which are set
 * @param under a program that runs the server, such as a tracer, with its arguments
 * @param spawned is given the process before it serves
 */
export async function startServerProcess(
  env: NodeJS.ProcessEnv = {},
  { under = [], spawned }: { under?: readonly string[]; spawned?: (child: ChildProcess) => void } = {},
): Promise<ServerProcess> {
  const port = await freePort();
  const dataDir = env.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'korob-process-')));
  const [command = '', ...args] = [...under, process.execPath, paths.main];
  const child = spawn(command, args, {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      HOST: '127.0.0.1',
      SITE_URL: siteUrl,
      DATA_DIR: dataDir,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  spawned?.(child);
  let output = '';
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve));
  const serving = new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      if (output.includes('"msg":"serving"')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    exited.then((code) => reject(new Error(`The server ended with ${code} before it served:\n${output}`)));
  });
  await serving;
  return { child, port, url: `http://127.0.0.1:${port}`, dataDir, output: () => output, exited };
}
