import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { paths } from '../src/lib/paths.ts';
import { ask } from '../src/tests/support/ask.ts';
import { freePort } from '../src/tests/support/free-port.ts';

export type Server = AsyncDisposable & {
  port: number;
  pid: number;
  env: NodeJS.ProcessEnv;
  /** Milliseconds until the first 200. */
  started: number;
};

export const folder = mkdtempSync(join(tmpdir(), 'korob-scripts-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
process.on('SIGINT', () => process.exit(1));

/**
 * @param path polled until it returns 200
 * @throws if the process exits first
 */
export async function startServer(
  args: readonly string[] = [paths.main],
  env: NodeJS.ProcessEnv = {},
  path = '/',
): Promise<Server> {
  const port = await freePort();
  const all = {
    ...{ PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), TRUST_PROXY: '1' },
    DATA_DIR: mkdtempSync(join(folder, 'data-')),
    // As in korob@.service and the image.
    MALLOC_ARENA_MAX: '2',
    ...env,
  };
  const begun = performance.now();
  const child = spawn(process.execPath, args, { env: all, stdio: ['ignore', 'ignore', 'inherit'] });
  while ((await ask(port, path).catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended with ${child.exitCode} before it served.`);
    await sleep(1);
  }
  const started = performance.now() - begun;
  const stop = async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  return { port, pid: child.pid ?? 0, env: all, started, [Symbol.asyncDispose]: stop };
}
