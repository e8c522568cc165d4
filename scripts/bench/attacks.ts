import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { against, alone, type Figure, inTurns } from './figure.ts';
import { residentMemory } from './proc.ts';
import { type Peers, production, start } from './servers.ts';
import { waitWhile } from './waiting.ts';

const rounds = 3;
/** Milliseconds of a turn. */
const turn = 5_000;

/** What is done, and what that is called. */
const kinds = {
  blanks: '15,000 blanks in Accept-Encoding',
  types: '1,800 types in Accept',
  marks: '4,800 marks on a letter',
  addresses: 'long addresses that lead nowhere',
  lock: 'the database held by another process',
  pipelines: '8 pipelines of 2,400 requests, unread',
} as const;

/** What ordinary visitors wait during each attack, against what they wait otherwise. */
export async function measureAttacks({ folder }: Peers): Promise<Figure[]> {
  const dataDir = join(folder, 'attacked');
  await using server = await start(production(dataDir));
  const list = join(folder, 'attacked.json');
  writeFileSync(list, JSON.stringify(['/', '/rates', '/contact', '/services/fulfillment', '/questions']));
  const figures: Figure[] = [];
  for (const [kind, name] of Object.entries(kinds)) {
    const waits = await inTurns(rounds, {
      bare: () => waitWhile(server, list, () => sleep(turn)),
      ours: () => waitWhile(server, list, () => attack(kind, server.port, dataDir)),
    });
    figures.push(against(`p99 beside ${name}; in quiet`, 'ms', waits, { at: 'most', value: 2 }));
  }
  return [...figures, alone('memory after all of that', 'MB', residentMemory(server.pid))];
}

async function attack(kind: string, port: number, dataDir: string): Promise<void> {
  const script = join(import.meta.dirname, 'attackers.ts');
  const args = [script, `--kind=${kind}`, `--port=${port}`, `--database=${join(dataDir, 'korob.sqlite')}`];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  await Promise.race([sleep(turn), ended]);
  if (child.exitCode !== null) throw new Error(`The attack "${kind}" did not go on.`);
  child.kill('SIGTERM');
  await ended;
}
