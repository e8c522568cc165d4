import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Figure, median } from './figure.ts';
import { onCpu, type Peers, type RunningServer, start } from './servers.ts';
import { undisturbed } from './undisturbed.ts';

const rounds = 5;
const drippers = 1_000;
const seconds = { warmUp: 2, turn: 5, untilCut: 8 };

/** What others wait for a page while a thousand connections drip, against what they wait in quiet. */
export async function measureDrip({ ours }: Peers): Promise<Figure[]> {
  const server = await start(ours, { cpu: 0 });
  const waits = { quiet: [] as number[], dripped: [] as number[] };
  try {
    await p99(server, seconds.warmUp);
    for (let round = 0; round < rounds; round++) {
      waits.quiet.push(await undisturbed(() => p99(server, seconds.turn)));
      const crowd = await startDrippers(server);
      try {
        // The turn has the moment in it in which the server cuts them, and they come back.
        await sleep(seconds.untilCut * 1_000);
        waits.dripped.push(await p99(server, seconds.turn));
      } finally {
        crowd.kill('SIGKILL');
        await once(crowd, 'exit');
      }
      // What they leave behind is no part of the quiet.
      await sleep(500);
    }
  } finally {
    await server.stop();
  }
  const ratios = waits.dripped.map((wait, round) => wait / (waits.quiet[round] ?? Number.NaN));
  const name = `wait for a page while ${drippers} drip, p99; beside it in quiet`;
  return [
    {
      ...{ name, unit: 'ms', ours: median(waits.dripped), bare: median(waits.quiet) },
      ...{ ratio: median(ratios), limit: { at: 'most', value: 2 } },
    },
  ];
}

async function startDrippers({ port }: RunningServer): Promise<ChildProcess> {
  const script = join(import.meta.dirname, 'drippers.ts');
  const [command = '', ...args] = onCpu(1, [process.execPath, script, `--port=${port}`, `--count=${drippers}`]);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

/** Milliseconds that 99 of 100 visitors wait at most. */
async function p99({ port }: RunningServer, duration: number): Promise<number> {
  const headers = ['-H', 'Accept-Encoding: br'];
  const url = `http://127.0.0.1:${port}/`;
  const [command = '', ...args] = onCpu(1, ['wrk', '-t1', '-c8', `-d${duration}s`, '--latency', ...headers, url]);
  const { stdout } = await promisify(execFile)(command, args);
  const [, value, unit = ''] = /^\s+99%\s+([\d.]+)(us|ms|s)\s*$/m.exec(stdout) ?? [];
  const milliseconds = Number(value) * ({ us: 0.001, ms: 1, s: 1_000 }[unit] ?? Number.NaN);
  if (Number.isNaN(milliseconds) || /Non-2xx|Socket errors/.test(stdout)) throw new Error(`wrk met errors:\n${stdout}`);
  return milliseconds;
}
