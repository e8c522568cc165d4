import { type ChildProcess, spawn } from 'node:child_process';
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

/** A loopback port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/**
 * Starts `dist/main.js` as production does and waits until it serves.
 *
 * @param env environment besides `PORT`, `HOST`, `SITE_URL` and `DATA_DIR`, which are set
 */
export async function startServerProcess(env: NodeJS.ProcessEnv = {}): Promise<ServerProcess> {
  const port = await freePort();
  const dataDir = env.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'korob-process-')));
  const child = spawn(process.execPath, [paths.main], {
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
