import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { against, type Figure, inTurns } from './figure.ts';
import { wrk } from './load.ts';
import { onCpu, type Peers, type RunningServer, start } from './servers.ts';
import { undisturbed } from './undisturbed.ts';

const rounds = 5;
const drippers = 1_000;
const seconds = { warmUp: 2, turn: 5, untilCut: 8 };

/** What others wait for a page while a thousand connections drip, against what they wait in quiet. */
export async function measureDrip({ ours }: Peers): Promise<Figure[]> {
  await using server = await start(ours, { cpu: 0 });
  await p99(server, seconds.warmUp);
  const waits = await inTurns(rounds, {
    bare: () => undisturbed(() => p99(server, seconds.turn)),
    ours: () => whileDripping(server),
  });
  return [
    against(`wait for a page while ${drippers} drip, p99; beside it in quiet`, 'ms', waits, { at: 'most', value: 2 }),
  ];
}

async function whileDripping(server: RunningServer): Promise<number> {
  const crowd = await startDrippers(server);
  try {
    // The turn has the moment in it in which the server cuts them, and they come back.
    await sleep(seconds.untilCut * 1_000);
    return await p99(server, seconds.turn);
  } finally {
    crowd.kill('SIGKILL');
    await once(crowd, 'exit');
    // What they leave behind is no part of the quiet.
    await sleep(500);
  }
}

async function startDrippers({ port }: RunningServer): Promise<ChildProcess> {
  const script = join(import.meta.dirname, 'drippers.ts');
  const [command = '', ...args] = onCpu(1, [process.execPath, script, `--port=${port}`, `--count=${drippers}`]);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

/** Milliseconds that 99 of 100 visitors wait at most. */
async function p99(server: RunningServer, duration: number): Promise<number> {
  const said = await wrk(server, ['-c8', `-d${duration}s`, '--latency', '-H', 'Accept-Encoding: br']);
  const [, value, unit = ''] = /^\s+99%\s+([\d.]+)(us|ms|s)\s*$/m.exec(said) ?? [];
  return Number(value) * ({ us: 0.001, ms: 1, s: 1_000 }[unit] ?? Number.NaN);
}
