import { setTimeout as sleep } from 'node:timers/promises';
import { against, type Figure, inTurns } from './figure.ts';
import { residentMemory } from './proc.ts';
import { type Peers, type ServerKind, start } from './servers.ts';
import { undisturbed } from './undisturbed.ts';

const starts = 9;

/** From the making of a process to its first page, and the memory that it holds a second later. */
export async function measureStart({ ours, bare, leanest }: Peers): Promise<Figure[]> {
  const sides = await inTurns(starts, {
    ours: () => undisturbed(() => startOnce(ours)),
    bare: () => undisturbed(() => startOnce(bare)),
    leanest: () => undisturbed(() => startOnce(leanest)),
  });
  const of = (what: 'time' | 'memory', peer: 'bare' | 'leanest') => ({
    ours: sides.ours.map((once) => once[what]),
    bare: sides[peer].map((once) => once[what]),
  });
  return [
    against('start to the first 200', 'ms', of('time', 'bare'), { at: 'most', value: 2 }),
    against('start, against bare CommonJS', 'ms', of('time', 'leanest')),
    against('resident memory after start', 'MB', of('memory', 'bare'), { at: 'most', value: 1.3 }),
    against('memory, against bare CommonJS', 'MB', of('memory', 'leanest')),
  ];
}

async function startOnce(kind: ServerKind): Promise<{ time: number; memory: number }> {
  const server = await start(kind);
  await sleep(1000);
  const memory = residentMemory(server.pid);
  await server.stop();
  return { time: server.started, memory };
}
