import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lazy } from '../../src/lib/lazy.ts';
import { newContent, type Server, start, startServer } from '../server-process.ts';

/** `bare.js` says what it can do. */
export const bare = join(import.meta.dirname, 'bare.js');

/** A server that has everything ready and small, with a content that may be edited: one for all sections of a run. */
export const filledServer = lazy(async (): Promise<Server & { filled: number }> => {
  const server = await startServer(newContent());
  return { ...server, filled: server.started + (await untilIdle(server.pid)) };
});

/** Milliseconds from the making of a process to its first answer. */
export async function startOnce(make: () => Promise<Server>): Promise<number> {
  await using server = await make();
  return server.started;
}

/** The yardstick for what is given in starts of bare Node. */
export const bareStart = () => startOnce(() => start([bare, 'empty']));

const idle = { interval: 250, intervals: 4, share: 0.1 };

/** Waits until a process works for less than a tenth of a second. @returns milliseconds until that second began */
export async function untilIdle(pid: number): Promise<number> {
  const begun = performance.now();
  for (let quiet = 0; quiet < idle.intervals; ) {
    const before = cpuTime(pid);
    await sleep(idle.interval);
    quiet = cpuTime(pid) - before <= idle.share * idle.interval ? quiet + 1 : 0;
  }
  return performance.now() - begun - idle.intervals * idle.interval;
}

/** Milliseconds of processor time that a process has used so far, to a hundredth of a second. */
export function cpuTime(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program stands in brackets and may hold anything; user and system time are fields 14 and 15.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

/** Megabytes of a process that are in memory. */
export function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
