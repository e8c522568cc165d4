import { type ChildProcess, spawn } from 'node:child_process';
import { paths } from '../../lib/paths.ts';
import { atEnd } from './at-end.ts';
import { siteUrl } from './built.ts';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';

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

/** The environment of a process whose clock is a minute ahead, so that claims have expired and retries are due. */
export const aMinuteLater = {
  NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent('const { now } = Date; Date.now = () => now() + 60_000;')}`,
};

/**
 * Starts `dist/main.js` as in production and waits until it serves. Stops it after the tests of the file, unless they
 * have stopped it.
 *
 * @param env environment in addition to `TZ`, `PORT`, `HOST`, `SITE_URL` and `DATA_DIR`, which have defaults
 * @param spawned receives the process before it serves
 */
export async function startServerProcess(
  env: NodeJS.ProcessEnv = {},
  spawned?: (child: ChildProcess) => void,
): Promise<ServerProcess> {
  const port = env.PORT === undefined ? await freePort() : Number(env.PORT);
  const dataDir = env.DATA_DIR ?? temporaryFolder();
  const child = spawn(process.execPath, [paths.main], {
    env: {
      PATH: process.env.PATH,
      TZ: process.env.TZ,
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
  atEnd(() => {
    child.kill('SIGKILL');
    return exited;
  });
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
