import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { against, type Figure, percentile } from './figure.ts';
import type { PageLoad } from './page-load.ts';
import { changePhone, command, newPlace, published, serverOf, settled, unshipped, untilServed } from './place.ts';
import { type Peers, type RunningServer, start } from './servers.ts';

const rounds = 3;
const perSecond = 200;
/** Milliseconds of a round without anything else. */
const idle = 10_000;
/** Milliseconds until visitors come at their pace; they do not count. */
const warmUp = 2_000;

/** What visitors wait while every page is made anew and polished, against what they wait otherwise. */
export async function measureMaking({ folder }: Peers): Promise<Figure[]> {
  const place = newPlace(unshipped(folder), join(folder, 'making'));
  const server = await start(serverOf(place));
  const waits = { idle: [] as number[], making: [] as number[] };
  try {
    await settled(place);
    const { store, index } = published(place);
    store.close();
    const list = join(folder, 'pages.json');
    writeFileSync(list, JSON.stringify(index?.prerendered));
    for (let round = 0; round < rounds; round++) {
      waits.idle.push(await p99(server, list, () => sleep(idle)));
      const making = async () => {
        const words = changePhone(place, round + 1);
        await untilServed(server, '/', words, () => command(place, 'publish'));
        await settled(place);
      };
      waits.making.push(await p99(server, list, making));
    }
  } finally {
    await server.stop('SIGTERM');
  }
  const name = 'wait for a page while all are made, p99; beside it idle';
  return [against(name, 'ms', { ours: waits.making, bare: waits.idle }, { at: 'most', value: 2 })];
}

/** Milliseconds that 99 of 100 visitors wait at most while something happens. @throws if one of them is refused */
async function p99({ port }: RunningServer, list: string, happening: () => Promise<unknown>): Promise<number> {
  // A process of its own: whatever this one does meanwhile would keep visitors from asking.
  const script = join(import.meta.dirname, 'page-load.ts');
  const args = [script, `--port=${port}`, `--rate=${perSecond}`, `--paths=${list}`];
  const visitors = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = visitors.stdout.toArray();
  try {
    await sleep(warmUp);
    await happening();
  } finally {
    visitors.kill('SIGTERM');
  }
  const { waits, refused }: PageLoad = JSON.parse((await said).join(''));
  if (refused.length > 0) throw new Error(`Pages were refused: ${refused.join(', ')}`);
  return percentile(waits.slice((warmUp / 1_000) * perSecond), 0.99);
}
