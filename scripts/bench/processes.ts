import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lazy } from '../../src/lib/lazy.ts';
import { newContent, type Server, start, startServer } from '../server-process.ts';

export const bare = join(import.meta.dirname, 'bare.js');

/** Shared by all sections; its content may be edited. */
export const filledServer = lazy(async (): Promise<Server & { filled: number }> => {
  const server = await startServer(newContent());
  return { ...server, filled: server.started + (await untilIdle(server.pid)) };
});

export async function startOnce(make: () => Promise<Server>): Promise<number> {
  await using server = await make();
  return server.started;
}

/** The unit of figures relative to bare Node. */
export const bareStart = () => startOnce(() => start([bare, 'empty']));

const idle = { interval: 250, intervals: 4, share: 0.1 };

/** Waits for a second below 10 % CPU. @returns milliseconds until it began */
export async function untilIdle(pid: number): Promise<number> {
  const begun = performance.now();
  for (let quiet = 0; quiet < idle.intervals; ) {
    const before = cpuTime(pid);
    await sleep(idle.interval);
    quiet = cpuTime(pid) - before <= idle.share * idle.interval ? quiet + 1 : 0;
  }
  return performance.now() - begun - idle.intervals * idle.interval;
}

/** CPU milliseconds, in steps of 10. */
export function cpuTime(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in brackets may contain anything; times are fields 14 and 15.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

/** RSS in megabytes. */
export function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
