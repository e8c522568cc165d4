import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createClient } from '@redis/client';
import { atEnd } from './at-end.ts';
import { freePort } from './free-port.ts';
import { requirePath } from './programs.ts';

export type RedisServer = {
  url: string;
  start(): Promise<void>;
  /** Kills it, like a crash. */
  kill(): Promise<void>;
  /** Keeps its connections but answers nothing. */
  freeze(): void;
  thaw(): void;
};

/** Starts a real Redis on loopback without persistence. */
export async function startRedis(): Promise<RedisServer> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    child = spawn(requirePath('redis-server'), flags, { stdio: 'ignore' });
    await once(child, 'spawn');
    const client = createClient({ url, socket: { reconnectStrategy: 25 } }).on('error', () => {});
    await client.connect();
    client.destroy();
  }

  async function kill(): Promise<void> {
    if (child?.kill('SIGKILL')) await once(child, 'exit');
  }

  atEnd(kill);
  await start();
  return {
    url,
    start,
    kill,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  };
}
