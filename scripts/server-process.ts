import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { paths } from '../src/lib/paths.ts';
import { ask } from '../src/testing/ask.ts';
import { freePort } from '../src/testing/free-port.ts';

export type Server = AsyncDisposable & {
  port: number;
  pid: number;
  env: NodeJS.ProcessEnv;
  /** Milliseconds until the first 200. */
  started: number;
};

/** Deleted on exit. */
export const folder = mkdtempSync(join(tmpdir(), 'korob-scripts-'));
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

export function newFolder(): string {
  return mkdtempSync(join(folder, '-'));
}

export function newContent(): string {
  const content = newFolder();
  cpSync(paths.content, content, { recursive: true });
  return content;
}

/** @param path polled until it responds */
export function startServer(content: string = paths.content, path = '/'): Promise<Server> {
  const env = {
    ...{ SITE_URL: 'http://localhost:3000', TRUST_PROXY: '1', DATA_DIR: newFolder(), CONTENT_DIR: content },
    // As in korob@.service and the image.
    MALLOC_ARENA_MAX: '2',
  };
  return start([paths.main], env, path);
}

/** @throws if it exits, or the first response is not a 200 */
export async function start(args: readonly string[], env: NodeJS.ProcessEnv = {}, path = '/'): Promise<Server> {
  const port = await freePort();
  const begun = performance.now();
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env, HOST: '127.0.0.1', PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  running.add(child);
  child.on('exit', () => running.delete(child));
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended with ${child.exitCode} before it served.`);
    const answer = await ask(port, path).catch(() => undefined);
    if (answer?.status === 200) break;
    if (answer) throw new Error(`${args.join(' ')} first answered with ${answer.status}.`);
    await sleep(1);
  }
  const started = performance.now() - begun;
  const stop = async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  return { port, pid: child.pid ?? 0, env, started, [Symbol.asyncDispose]: stop };
}

/**
 * @returns milliseconds
 * @throws with stderr on failure
 */
export async function runToEnd(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  const begun = performance.now();
  await promisify(execFile)(process.execPath, args, { env: { PATH: process.env.PATH, ...env } });
  return performance.now() - begun;
}

export async function pagesOf({ port }: Server): Promise<string[]> {
  const read = async (path: string) => JSON.parse((await ask(port, path)).text);
  const { id } = await read('/builds/latest.json');
  return (await read(`/builds/meta/${id}.json`)).prerendered;
}
