import { setTimeout as sleep } from 'node:timers/promises';
import { against, type Figure } from './figure.ts';
import { residentMemory } from './proc.ts';
import { type Peers, type ServerKind, start } from './servers.ts';

const starts = 9;

/** From the making of a process to its first page, and the memory that it holds a second later. */
export async function measureStart({ ours, bare }: Peers): Promise<Figure[]> {
  const times = { ours: [] as number[], bare: [] as number[] };
  const memory = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round < starts; round++) {
    for (const side of round % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const)) {
      const once = await startOnce(side === 'ours' ? ours : bare);
      times[side].push(once.time);
      memory[side].push(once.memory);
    }
  }
  return [
    against('start to the first 200', 'ms', times, { at: 'most', value: 3 }),
    against('resident memory after start', 'MB', memory, { at: 'most', value: 1.6 }),
  ];
}

async function startOnce(kind: ServerKind): Promise<{ time: number; memory: number }> {
  const server = await start(kind);
  await sleep(1000);
  const memory = residentMemory(server.pid);
  await server.stop();
  return { time: server.started, memory };
}
