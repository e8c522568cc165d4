import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { atEnd } from './at-end.ts';
import { freePort } from './free-port.ts';

export type RedisServer = {
  url: string;
  start(): Promise<void>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** It keeps its connections and answers nothing. */
  freeze(): void;
  thaw(): void;
};

/** Starts a real Redis on loopback, which keeps nothing on disk. */
export async function startRedis(): Promise<RedisServer> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const started = spawn('redis-server', flags, { stdio: 'ignore' });
    child = started;
    for (let attempt = 0; attempt < 200; attempt++) {
      if (started.exitCode !== null) throw new Error(`redis-server ended with ${started.exitCode}.`);
      if (await answers(url)) return;
      await sleep(25);
    }
    throw new Error('redis-server did not answer within 5 s.');
  }

  async function kill(): Promise<void> {
    const running = child;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const exited = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await exited;
  }

  await start();
  atEnd(kill);
  return {
    url,
    start,
    kill,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  };
}

async function answers(url: string): Promise<boolean> {
  const client = createClient({ url, socket: { reconnectStrategy: false } });
  client.on('error', () => {});
  try {
    await client.connect();
    client.destroy();
    return true;
  } catch {
    return false;
  }
}
