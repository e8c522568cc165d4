import { setTimeout as sleep } from 'node:timers/promises';
import { against, type Figure } from './figure.ts';
import { residentMemory } from './proc.ts';
import { type Peers, type ServerKind, start } from './servers.ts';
import { undisturbed } from './undisturbed.ts';

const starts = 9;

/** From the making of a process to its first page, and the memory that it holds a second later. */
export async function measureStart(peers: Peers): Promise<Figure[]> {
  const sides = ['ours', 'bare', 'leanest'] as const;
  const times = { ours: [] as number[], bare: [] as number[], leanest: [] as number[] };
  const memory = { ours: [] as number[], bare: [] as number[], leanest: [] as number[] };
  for (let round = 0; round < starts; round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const once = await undisturbed(() => startOnce(peers[side]));
      times[side].push(once.time);
      memory[side].push(once.memory);
    }
  }
  const leanest = (rounds: typeof times) => ({ ours: rounds.ours, bare: rounds.leanest });
  return [
    against('start to the first 200', 'ms', times, { at: 'most', value: 2 }),
    against('start, against bare CommonJS', 'ms', leanest(times)),
    against('resident memory after start', 'MB', memory, { at: 'most', value: 1.3 }),
    against('memory, against bare CommonJS', 'MB', leanest(memory)),
  ];
}

async function startOnce(kind: ServerKind): Promise<{ time: number; memory: number }> {
  const server = await start(kind);
  await sleep(1000);
  const memory = residentMemory(server.pid);
  await server.stop();
  return { time: server.started, memory };
}
